"""Whatever is sent to OpenAI's protocol, it keeps what its OpenAPI document promises, over CORTX's shipped policies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.contracts.published import shipped
from tests.app.fuzzing import fuzz, served_with_key

NAMED = "tenant: smartbreeds\n"  # as the examples of the document have it


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_openais_protocol(tmp_path: Path) -> None:
    with served_with_key(tmp_path, shipped("cortx") + NAMED) as client:
        fuzz(client, tmp_path, "smartbreeds", api="/openai")

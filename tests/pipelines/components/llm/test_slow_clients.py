"""A provider's client that takes long to load: that time is not the model's."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from pipelines.components.llm import Message, backends, build_llm
from pipelines.components.llm.base import Piece
from pipelines.errors import LlmTimeout
from pipelines.profile.sections.llm import LlmSection
from tests.fakes.ollama import ollama_server

_QUESTION = [Message("user", "How long is a beagle's walk?")]
_SECTION: TypeAdapter[LlmSection] = TypeAdapter(LlmSection)


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_the_time_of_a_call_begins_with_its_request(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    pieces = backends._PROVIDERS[provider]

    def loaded_slowly(*args: Any) -> Iterator[Piece]:
        time.sleep(2.2)
        yield from pieces(*args)

    with ollama_server() as server:
        url = f"{server.url}/v1" if provider == "openai" else server.url
        section = {"provider": provider, "base_url": url}
        with closing(build_llm(_SECTION.validate_python({**section, "model": "m"}))) as llm:
            llm.complete(_QUESTION)  # loads the real one, which takes longer on some machines
        monkeypatch.setitem(backends._PROVIDERS, provider, loaded_slowly)
        section["timeouts"] = {"call_s": 2}
        with closing(build_llm(_SECTION.validate_python({**section, "model": "m"}))) as llm:
            assert llm.complete(_QUESTION).text
        slow = build_llm(_SECTION.validate_python({**section, "model": "slow"}))
        with closing(slow), pytest.raises(LlmTimeout, match="within 2 s"):
            slow.complete(_QUESTION)


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_tenant_that_is_ready_has_loaded_its_client(tmp_path: Path, provider: str) -> None:
    llm = {"provider": provider, "model": "m", "base_url": "http://127.0.0.1:9/v1"}
    program = (
        "import sys; from pathlib import Path; from pipelines.engine import open_engine\n"
        f"with open_engine({{'tenant': 'mill', 'llm': {llm}}}, data=Path({str(tmp_path)!r})) as engine:\n"
        f"    before = {provider!r} in sys.modules; engine.check_ready(); print(before, {provider!r} in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]

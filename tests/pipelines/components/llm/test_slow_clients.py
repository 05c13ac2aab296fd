"""A provider's client that takes long to load: that time is not the model's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
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

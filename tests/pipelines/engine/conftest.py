"""Kennels: one whose language model replies as each test says, and one to converse with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.embedded_only import unmarked_backups
from tests.fakes.ollama import ollama_server
from tests.pipelines.engine import conversing
from tests.pipelines.engine.kennel_model import BEAGLE, CAT, EVIL, PROFILE, Ask, always_answering

__all__ = ["unmarked_backups"]


@pytest.fixture
def says(open_tenant: OpenTenant) -> Iterator[Ask]:
    """Opens a tenant whose model says what is given: a text, or a function of what was asked."""
    with ExitStack() as opened:

        def start(text: Any = None, *, model: str = "m", fallback: str = "", answer: str = "", llm: str = "") -> Engine:
            script = text if callable(text) or text is None else lambda asked: text
            fake = opened.enter_context(ollama_server(script))
            profile = PROFILE.replace("MODEL", model).replace("URL", fake.url)
            profile = profile.replace("ANSWER", always_answering(answer))
            engine = open_tenant(
                profile.replace("LLM", llm).replace("FALLBACK", f"fallback: {fallback}," if fallback else "")
            )
            engine.ingest(
                [
                    DocumentInput(BEAGLE, "beagle.md", metadata={"species": "dog"}),
                    DocumentInput(CAT, "cat.md", metadata={"species": "cat"}),
                    DocumentInput(EVIL, "evil.md", metadata={"species": "none"}),
                ]
            )
            engine.fake = fake  # type: ignore[attr-defined]
            return engine

        yield start


@pytest.fixture
def kennel(open_tenant: OpenTenant) -> conversing.Converse:
    def start(sections: str = "") -> Engine:
        engine = open_tenant(conversing.PROFILE.replace("SECTIONS", sections))
        names = {"beagle.md": conversing.BEAGLE, "pug.md": conversing.PUG, "cat.md": conversing.CAT}
        engine.ingest([DocumentInput(text, name) for name, text in names.items()])
        return engine

    return start

"""Attempts at documents that fail at the same moment."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from pipelines.catalogue import Catalogue


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "kennel")
    opened.claim("minilm", {})
    yield opened
    opened.close()


def test_attempts_at_one_new_document_may_fail_at_once(catalogue: Catalogue) -> None:
    ready = Barrier(4, timeout=20)

    def fail(attempt: int) -> None:
        for number in range(25):
            ready.wait()
            catalogue.record_failure(f"{number}.md", f"{number}.md", "text/markdown", "given", f"attempt {attempt}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(fail, range(4)))
    assert catalogue.totals().failed == 25
    document = catalogue.document("7.md")
    assert (document.state, document.version, document.source) == ("failed", 0, "7.md")
    assert (document.reason or "").startswith("attempt ")

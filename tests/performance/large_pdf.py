"""How soon a large PDF of dense text can be found by its words: its vectors come later."""

from __future__ import annotations

import resource
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from pipelines.engine import open_engine
from pipelines.types import DocumentInput
from tests.performance.corpus import sentences
from tests.performance.ours import write_profile
from tests.pipelines.reading.reader_files import pdf

_LINES = 60
_LINE_CHARS = 96


def large_pdf(characters: int) -> None:
    """Ingests a PDF of so much text, words first, on an empty tenant, and prints seconds."""
    content = dense_pdf(characters)
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder:
        with open_engine(write_profile(Path(folder)), Path(folder) / "data") as engine:
            began = time.perf_counter()
            (result,) = engine.ingest(DocumentInput(content, source="dense.pdf", words_first=True))
            wall = time.perf_counter() - began
            found = len(engine.search(sentences()[0], mode="sparse").hits)
        assert result.state == "ready", result.reason
        assert found
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = f"{len(content) / 1e6:.1f} MB, {characters:,} characters, {result.chunks_created:,} chunks"
    print(f"a PDF of {size}: found by its words")
    print(f"  after {wall:.1f} s (bar: 30); the processes that read took {used.ru_utime:.1f} s\n")


def dense_pdf(characters: int) -> bytes:
    """A PDF of pages full of lines of text, not compressed."""
    text = " ".join(islice(cycle(sentences()), characters // 50))[:characters]
    lines = [text[start : start + _LINE_CHARS].strip() for start in range(0, len(text), _LINE_CHARS)]
    return pdf([lines[start : start + _LINES] for start in range(0, len(lines), _LINES)])

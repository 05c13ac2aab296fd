"""The reader of reStructuredText on real files, from the folder that FOOTNOTE_EVAL_DATA names."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit

FOLDER = Path(os.environ.get("FOOTNOTE_EVAL_DATA", "")) / "own_docs"
FILES = [*FOLDER.glob("*/files/**/*.rst"), *FOLDER.glob("*/files/**/*.txt")]
MARKUP = {
    "underline": r"^[=\-~^\"'`#*+.]{4,}$",
    "role": r":[a-z:+-]+:`",
    "directive": r"^\s*\.\. [\w:-]+::",
    "target": r"^\.\. _[^:]+:",
    "phrase reference": r"`__?(?!\w)",
    "table rule": r"=====? +====|\+---+\+",
    "literal": r"``",
}

pytestmark = pytest.mark.skipif(
    "FOOTNOTE_EVAL_DATA" not in os.environ or not FILES,
    reason="FOOTNOTE_EVAL_DATA names no folder with reStructuredText",
)


@pytest.mark.parametrize("path", sorted(FILES), ids=lambda path: path.name)
def test_real_files_show_no_markup_and_know_their_lines(path: Path) -> None:
    content = path.read_bytes()
    lines = content.decode().split("\n")
    document = read(content, name=path.name)
    assert document.media_type == "text/x-rst"
    assert document.title
    assert_blocks_fit(document)
    for block in document.blocks:
        shown = document.text[block.span.start : block.span.end]
        assert block.line is not None
        if block.kind in ("paragraph", "definition", "term"):
            line = lines[block.line - 1]
            assert ":ref:" in line or re.findall(r"\w+", shown.lower())[0] in line.lower()
        if block.kind != "code":
            found = [name for name, sign in MARKUP.items() if re.search(sign, shown, re.MULTILINE)]
            assert not found, shown

"""Markdown and office files as people have them, from the folder that FOOTNOTE_EVAL_DATA names: no markup is left."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit

FOLDER = Path(os.environ.get("FOOTNOTE_EVAL_DATA", "")) / "own_docs"
ENDINGS = (".md", ".docx", ".pptx", ".xlsx", ".html", ".htm", ".eml")
MARKUP = {
    "a shortcode": r"\{\{[<%](?! *\*/)",
    "a tag": r"</?(?:a|b|br|div|em|i|img|li|ol|p|span|strong|table|td|th|tr|ul)(?:\s[^<>]*)?/?>",
    "an entity": r"&(?:[a-z]{2,8}|#\d{1,6});",
    "a rule of a table": r"\|\s*:?-{3,}|\+-{3,}",
    "a link definition": r"(?m)^\[[^\]\n]+\]:\s+\S",
    "a link": r"\]\((?:https?:|/|#)",
    "an underlined heading": r"(?m)^(?:={4,}|-{4,}|~{4,})$",
    "a heading's sign": r"(?m)^#{1,6} ",
    "a note's sign": r"(?m)^(?:!!!|:::|> ?\[!)",
}

pytestmark = pytest.mark.skipif(
    "FOOTNOTE_EVAL_DATA" not in os.environ or not FOLDER.exists(), reason="FOOTNOTE_EVAL_DATA names no folder of files"
)


def files() -> list[Any]:
    found = sorted(path for corpus in ("kubernetes", "office") for path in (FOLDER / corpus / "files").rglob("*"))
    return [pytest.param(path, id=path.name) for path in found if path.suffix in ENDINGS]


def prose(document: ParsedDocument) -> str:
    blocks = (block for block in document.blocks if block.kind != "code")
    return "\n\n".join(document.text[block.span.start : block.span.end] for block in blocks)


@pytest.mark.parametrize("path", files())
def test_no_markup_is_left_and_blocks_fit(path: Path) -> None:
    document = read(path.read_bytes(), name=path.name)
    assert_blocks_fit(document)
    found = {name: re.search(pattern, prose(document)) for name, pattern in MARKUP.items()}
    assert {name: match[0] for name, match in found.items() if match} == {}


@pytest.mark.parametrize("path", [each for each in files() if each.values[0].suffix == ".md"])
def test_blocks_have_the_line_of_their_first_word(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    document = read(path.read_bytes(), name=path.name)
    placed = [block for block in document.blocks if block.line and block.kind in ("paragraph", "item", "heading")]
    first_words = ((block, re.search(r"\w{4,}", document.text[block.span.start : block.span.end])) for block in placed)
    missed = [
        word[0]
        for block, word in first_words
        if word and block.line and word[0].lower() not in "\n".join(lines[block.line - 1 : block.line + 3]).lower()
    ]
    assert len(missed) <= len(placed) / 50

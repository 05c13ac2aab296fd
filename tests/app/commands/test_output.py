from __future__ import annotations

from typing import Any

import pytest

from app.commands.output import columns, passage, place, safe, wrapped
from app.native.schemas.documents import SpanSchema
from app.native.schemas.search import CitationSchema


def _citation(**more: Any) -> CitationSchema:
    said = {"title": "Handbook", "source": "docs/handbook.pdf", "headings": ["Handbook", "Leave", "Sick leave"]}
    fixed = {"number": 1, "document_id": "h", "version": 1, "chunk_id": "c", "quote": "q", "page": None}
    return CitationSchema(span=SpanSchema(start=0, end=1), **{**fixed, **said, **more})


def test_control_characters_are_removed_and_text_is_kept() -> None:
    assert safe("a\x1b[2Jb\x07\x7f\x9bc\r\x00\td\né") == "a[2Jbc\td\né"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "Handbook, Leave > Sick leave (docs/handbook.pdf)"),
        ({"page": 7}, "Handbook, Leave > Sick leave, page 7 (docs/handbook.pdf)"),
        ({"page": 7, "page_label": "iii"}, "Handbook, Leave > Sick leave, page iii (docs/handbook.pdf)"),
        ({"headings": []}, "Handbook (docs/handbook.pdf)"),
        ({"title": "", "headings": ()}, "(docs/handbook.pdf)"),
    ],
)
def test_a_place_shows_its_known_parts(more: dict[str, Any], expected: str) -> None:
    assert place(_citation(**more)) == expected


def test_paragraphs_are_wrapped_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    assert wrapped("one two\nthree four\n\nfive", indent="  ") == "  one two\n  three four\n\n  five"


def test_columns_are_aligned() -> None:
    assert columns([("A", "B"), ("long", "x"), ("y", "")]) == "A     B\nlong  x\ny"


def test_a_long_cell_moves_its_own_row_alone() -> None:
    long = "x" * 500
    assert columns([("ID", "STATE"), ("guide.md", "ready"), (long, "stale")]).splitlines() == [
        "ID        STATE",
        "guide.md  ready",
        f"{long}  stale",
    ]


def test_a_passage_keeps_markdown_lines_and_omits_headings_of_its_place() -> None:
    table = "| Dog | Walk |\n| --- | --- |\n| Pug | short |"
    text = f"## Walks\nAn hour\na day.\n\n{table}\n\n- Early,\n  or late.\n\n### Food\nTwo meals."
    shown = passage(text, ["Beagle", "Walks"], 400, indent=" ")
    assert shown.splitlines() == [
        " An hour a day.",
        " Dog | Walk",
        " Pug | short",
        " - Early, or late.",
        " ### Food",
        " Two meals.",
    ]


def test_a_long_passage_is_cut() -> None:
    assert passage("one two three four five six seven eight", [], 24, indent="") == "one two three four ..."
    assert passage("- first of these items\n- second", [], 24, indent="") == "- first of these items\n..."
    assert passage("- one two three four five\n- second", [], 20, indent="") == "- one two three ..."

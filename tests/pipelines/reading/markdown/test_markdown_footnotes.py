"""Footnotes of Markdown: short ones stand where they are referred to."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def file(text: str) -> ParsedDocument:
    document = read(text.encode(), name="a.md")
    assert_blocks_fit(document)
    return document


def test_a_short_note_stands_in_parentheses_at_each_of_its_references() -> None:
    document = file(
        "- Berth: 13 days[^a], moored *early* [^a]\n\n| Boat | Fee |\n|---|---|\n| Ketch | 5[^b][^a] |\n\n"
        "[^a]: Only in `north`. Elsewhere:\n    6 days.\n[^b]: Without tax\n"
    )
    note = "(Only in north. Elsewhere: 6 days)"
    assert shown_blocks(document) == [
        ("item", 1, f"- Berth: 13 days {note}, moored early {note}"),
        ("header", 1, "Boat | Fee"),
        ("row", 1, f"Ketch | 5 (Without tax) {note}"),
    ]


LONG = "word " * 31


@pytest.mark.parametrize(
    "note",
    [f"[^a]: {LONG.strip()}", "[^a]: Short.\n\n    Two paragraphs.", "[^a]:\n    - an item", f"[^a]: {'w' * 301}"],
)
def test_other_notes_stay_where_they_are(note: str) -> None:
    first, *others = shown_blocks(file(f"It snores[^a] a lot.\n\n{note}\n"))
    assert first == ("paragraph", 0, "It snores a lot.")
    assert others[0][0] == "note"
    assert others[0][2].startswith("Footnote a:")


def test_a_note_of_a_heading_or_of_nothing_stays_where_it_is() -> None:
    text = "# Boats[^a]\n\nThey wait[^b][^c].\n\n[^a]: All of them.\n[^b]: At night[^d].\n[^d]: From nine.\n"
    assert file(text).text == (
        "Boats\n\nThey wait (At night)[^c].\n\nFootnote a: All of them.\n\nFootnote d: From nine."
    )


def test_a_note_that_is_referred_to_very_often_stays_where_it_is() -> None:
    shown = file("a[^a] " * 21 + "\n\n[^a]: Short.\n").text
    assert shown.endswith("a a\n\nFootnote a: Short.")


@pytest.mark.parametrize("part", ["[^a]", "[^a]: b\n", "[^a]: [^a]\n\n", "> [^a]: b\n\n"])
def test_many_footnotes_are_read_in_a_moment(part: str) -> None:
    began = time.process_time()
    assert_blocks_fit(read(f"a[^a]\n\n[^a]: b\n\n{part * 2_000}\n".encode(), name="a.md"))
    assert time.process_time() - began < 10

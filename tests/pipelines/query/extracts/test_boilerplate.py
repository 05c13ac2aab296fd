"""What stands on every page."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.boilerplate import repeated_lines
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit, stored


def documents(*pages: tuple[str, ...]) -> frozenset[str]:
    """The repeated lines of pages, each of lines of which "# " begins a heading."""

    def text(lines: tuple[str, ...]) -> StoredText:
        def fill(draft: Draft) -> None:
            for line in lines:
                if line.startswith("# "):
                    draft.add_heading(1, line[2:])
                else:
                    draft.add(line)

        return stored(fill)

    texts = [text(lines) for lines in pages]
    return repeated_lines([hit(each, document_id=f"{number}.html") for number, each in enumerate(texts)], texts)


SAILS = ("# Sails", "Sails are cloth.", "They catch wind.")
ROPES = ("# Ropes", "Ropes are lines.", "They hold sails.")


def test_a_line_above_the_headings_of_several_pages_is_one_of_the_site() -> None:
    line = "Small boats, big seas."
    assert documents(("Small boats, big\nseas.", *SAILS), (line, *ROPES)) == {line}
    assert documents((line, *SAILS)) == documents((line, *SAILS), ROPES) == frozenset()


def test_a_line_with_an_address_is_one_of_the_site_too() -> None:
    line = "These notes are part of the manual: https://example.org/manual:2."
    assert documents((line, *SAILS), (line, *ROPES)) == {line}


def test_copies_of_a_document_are_one_page() -> None:
    page = ("Small boats.", *SAILS)
    assert documents(page, page, (*page, "New here.")) == frozenset()


@pytest.mark.parametrize("line", ["Valid from 1 May 2024", "Status: final", "Dues are 40 EUR"])
def test_what_may_be_asked_for_is_none(line: str) -> None:
    assert documents((line, *SAILS), (line, *ROPES)) == frozenset()


def test_what_stands_below_a_heading_or_is_long_is_none() -> None:
    said, long = "Take it twice a day.", "A knot is a tie, " * 12
    assert documents((*SAILS, said), (*ROPES, said)) == frozenset()
    assert documents((said, *SAILS[1:]), (said, *ROPES[1:])) == frozenset(), "notes without headings"
    assert documents((long, *SAILS), (long, *ROPES)) == frozenset()


def test_the_version_of_a_manual_stands_on_every_page() -> None:
    line = "Harbour Guide Version 2.4"
    assert documents((line, *SAILS), (line, *ROPES)) == {line}

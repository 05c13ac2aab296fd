"""What stands on every page."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.boilerplate import repeated_lines
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit, stored


def documents(*pages: tuple[str, ...]) -> frozenset[str]:
    def text(lines: tuple[str, ...]) -> StoredText:
        def fill(draft: Draft) -> None:
            for line in lines:
                draft.add(line)

        return stored(fill)

    texts = [text(lines) for lines in pages]
    return repeated_lines([hit(each, document_id=f"{number}.html") for number, each in enumerate(texts)], texts)


def test_a_line_that_begins_or_ends_several_pages_is_one_of_the_site() -> None:
    sails = ("Small boats, big\nseas.", "Sails are cloth.", "They catch wind.", "Made in the harbour.")
    ropes = ("Small boats, big seas.", "Ropes are lines.", "They hold sails.", "Made in the harbour.")
    assert documents(sails, ropes) == {"Small boats, big seas.", "Made in the harbour."}
    assert documents(sails) == frozenset()


def test_copies_of_a_document_are_one_page() -> None:
    sails = ("Sails are cloth.", "They catch wind.")
    assert documents(sails, sails, (*sails, "New here.")) == frozenset()


@pytest.mark.parametrize("line", ["Valid from 1 May 2024", "Status: final", "Dues are 40 EUR"])
def test_what_may_be_asked_for_is_none(line: str) -> None:
    assert documents((line, "Sails are cloth.", "They tear."), (line, "Ropes are lines.", "They hold.")) == frozenset()


def test_what_stands_in_the_middle_or_is_long_is_none() -> None:
    middle = tuple(f"Knot {'i' * number} is hard." for number in range(20))
    other = tuple(f"Knot {'x' * number} is easy." for number in range(20))
    shared, long = "A knot is a tie.", "A knot is a tie, " * 12
    assert documents((*middle[:10], shared, *middle[10:]), (*other[:10], shared, *other[10:])) == frozenset()
    assert documents((long, *middle), (long, *other)) == frozenset()
    assert documents((shared, *middle), (shared, *other)) == {shared}


def test_the_version_of_a_manual_stands_on_every_page() -> None:
    line = "Harbour Guide Version 2.4"
    assert documents((line, "Sails are cloth.", "They tear."), (line, "Ropes are lines.", "They hold.")) == {line}

"""What stands on every page."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest

from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.passages.boilerplate import is_company_line, repeated_lines
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import choose
from tests.pipelines.query.extracts.drafts import extract, hit, stored


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


FOOT = "Teal Chandlers Ltd \u00b7 Registered in England no. 771 2026 \u00b7 VAT GB 220"


@pytest.mark.parametrize(
    "line",
    [FOOT, "Teal Riggers GmbH, Company registration: Handelsregister Kiel HRB 12", "Teal AS | Org.nr 812 | IBAN NO12"],
)
def test_where_a_company_is_registered_answers_nothing_else(line: str) -> None:
    assert is_company_line("When is the invoice of Teal due?", line)
    assert is_off_subject("When is the invoice of Teal due?", extract(line))
    for question in ("What is the VAT number of Teal?", "Where is Teal registered?", "Who is a director of Teal?"):
        assert not is_company_line(question, line)


@pytest.mark.parametrize(
    "line",
    [
        "Teal Ltd is registered in England and must pay within 30 days.",
        "Boat: Heron; Registered in: Kiel; Owner: Teal Ltd",
        "Teal Chandlers Ltd, Harbour Road 2",
        "Boats registered in Kiel",
    ],
)
def test_a_sentence_or_a_row_about_a_company_is_no_such_line(line: str) -> None:
    assert not is_company_line("When is the invoice of Teal due?", line)


def test_the_foot_of_a_letter_comes_behind_what_answers() -> None:
    def letter(draft: Draft) -> None:
        draft.add("Please pay the invoice of Teal within 30 days of 3 May.")
        draft.add_heading(1, "Foot")
        draft.add(FOOT)

    reader = Reader(lambda question, texts: np.array([3.0 * ("Chandlers" in text) for text in texts]))
    found = choose("When is the invoice of Teal due?", letter, reader, most=1)
    assert found.extracts[0].shown.startswith("Please pay")


def test_such_lines_are_told_in_linear_time() -> None:
    started = process_time()
    is_company_line("When is it due?", "registered " * 20_000)
    is_company_line("When is it due?", "company" + " " * 20_000 + "org." * 20_000)
    assert process_time() - started < 5

"""Whom a whole document is about, as its head says."""

import pytest

from pipelines.query.extracts.document_heads import named_in_head
from pipelines.query.extracts.extract import Extract
from pipelines.query.extracts.mismatch import lacks_subject
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.drafts import hit, stored

CLAUSE = "Bills are paid within 30 days."
PARTIES = 'This agreement is made between Ostvik Ropes Ltd ("Supplier") and Nordby Harbour ("Customer").'


def extract(*head: str, title: str = "Agreement", later: str = "") -> Extract:
    def fill(draft: Draft) -> None:
        if title:
            draft.add_heading(1, title)
        for paragraph in head:
            draft.add(paragraph)
        draft.add_heading(2, "Payment")
        draft.add(CLAUSE)
        if later:
            draft.add(later)

    text = stored(fill)
    start = text.text.index(CLAUSE)
    return Extract(hit(text, CLAUSE), CLAUSE, Span(start, start + len(CLAUSE)), CLAUSE, (title, "Payment"), text)


@pytest.mark.parametrize(
    "one",
    [
        extract(PARTIES),
        extract(PARTIES, title=""),
        extract('between Ostvik Ropes Ltd, 4 Quay Street, ("Supplier")', 'and Nordby Harbour ("Customer").'),
        extract("Supplier: Ostvik Ropes Ltd"),
    ],
)
def test_a_name_in_the_head_is_spoken_of_in_all_of_the_document(one: Extract) -> None:
    question = "When do we pay a bill from Ostvik?"
    assert named_in_head(question, one) == ("Ostvik",)
    assert not lacks_subject(question, one)


@pytest.mark.parametrize(
    "one",
    [
        extract("The light is lower than that of Ostvik, which was lit long before it."),
        extract("Rules for harbours.", later="Supplier: Ostvik Ropes Ltd"),
        extract(later=PARTIES),
    ],
)
def test_a_name_elsewhere_is_not(one: Extract) -> None:
    question = "When do we pay a bill from Ostvik?"
    assert named_in_head(question, one) == ()
    assert lacks_subject(question, one)


@pytest.mark.parametrize(
    ("question", "title", "is_told"),
    [
        ("How long do I have in Ebb.js 4?", "Moving to version 4", True),
        ("How long do I have in Ebb 4?", "Moving to version 4", True),
        ("How long do I have in Ebb 5?", "Moving to version 4", False),
        ("How long do I have in Ebb 4?", "Moving", False),
        ("How long do I have in Flow 4?", "Moving to version 4", False),
    ],
)
def test_a_document_on_a_version_is_on_the_product_that_it_names_with_it(
    question: str, title: str, is_told: bool
) -> None:
    one = extract("Read this before you move.", title=title, later="Ebb.js 4 is new, and Flow 3 is old.")
    assert lacks_subject(question, one) is not is_told


def test_a_row_of_the_head_names_whom_a_document_is_about() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Permit")
        draft.add_table([["Holder", "Berth"], ["Ida Fjeld", "North 4"]])
        draft.add_heading(2, "Payment")
        draft.add(CLAUSE)

    text = stored(fill)
    start = text.text.index(CLAUSE)
    one = Extract(hit(text, CLAUSE), CLAUSE, Span(start, start + len(CLAUSE)), CLAUSE, ("Permit", "Payment"), text)
    assert not lacks_subject("How soon does Fjeld pay bills?", one)
    assert lacks_subject("How soon does Holm pay bills?", one)


@pytest.mark.parametrize(
    ("paragraph", "is_told"),
    [
        ("Ostvik Rowing Club, 3 May, boathouse. All members were there.", True),
        ("Club of Ostvik \u2013 Minutes. All members were there.", True),
        ("All members were there, and one of them came from Ostvik.", False),
    ],
)
def test_whom_a_paragraph_of_the_head_begins_with_a_document_is_about(paragraph: str, is_told: bool) -> None:
    assert lacks_subject("How soon are bills paid in Ostvik?", extract(paragraph, title="Minutes")) is not is_told

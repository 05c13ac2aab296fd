"""What a document says that it does not cover."""

from time import process_time

import pytest

from pipelines.query.extracts.exclusions import with_exclusion
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.drafts import hit, stored

SCOPE = "This standard is for ropes of up to 40 mm. It does not cover chains, wire-laid ropes or nets of hemp."
ANSWER = "Ropes are checked every 12 months."


def chosen(*paragraphs: str, heading: str = "Scope") -> Extraction:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, heading)
        for paragraph in paragraphs:
            draft.add(paragraph)
        draft.add_heading(1, "Checks")
        draft.add(ANSWER)

    text = stored(fill)
    start = text.text.index(ANSWER)
    span = Span(start, start + len(ANSWER))
    return Extraction((Extract(hit(text, ANSWER), ANSWER, span, ANSWER, ("Checks",), text),))


@pytest.mark.parametrize(
    ("question", "paragraph", "told"),
    [
        ("How often are chains checked?", SCOPE, SCOPE),
        ("How often are wire-laid ropes checked?", SCOPE, SCOPE),
        ("How often are hemp ropes checked?", SCOPE, SCOPE),
        (
            "How often are chains checked?",
            "These rules apply to all gear, except chains.",
            "These rules apply to all gear, except chains.",
        ),
        (
            "How often are chains checked?",
            "Nothing in this code applies to chains.",
            "Nothing in this code applies to chains.",
        ),
    ],
)
def test_what_a_document_leaves_out_is_answered_by_that(question: str, paragraph: str, told: str) -> None:
    (answer,) = with_exclusion(question, chosen(paragraph)).extracts
    assert (answer.shown, answer.quote) == (told, told)


def test_what_stands_under_a_heading_for_it_is_left_out() -> None:
    (answer,) = with_exclusion(
        "How often are chains checked?", chosen("Chains of more than 10 mm.", heading="Not covered")
    ).extracts
    assert answer.shown == "Not covered: Chains of more than 10 mm."
    assert answer.quote == "Chains of more than 10 mm."


@pytest.mark.parametrize(
    ("question", "paragraphs"),
    [
        ("How often are ropes checked?", (SCOPE,)),
        ("What does the standard not cover?", (SCOPE,)),
        ("How often are chains checked?", (SCOPE, "Chains are checked by the master.")),
        ("How often are chains checked?", ("This standard covers chains, but does not cover nets.",)),
        ("How often are ropes checked in winter?", ("The master does not cover damage in winter.",)),
        ("How often are anchors checked?", (SCOPE,)),
    ],
)
def test_what_is_not_left_out_is_answered_as_before(question: str, paragraphs: tuple[str, ...]) -> None:
    found = chosen(*paragraphs)
    assert with_exclusion(question, found) is found


def test_without_its_text_an_extract_stays() -> None:
    assert with_exclusion("How often are chains checked?", Extraction()) == Extraction()


@pytest.mark.parametrize("part", ["this ", "(a", "1.", "nothing in ", "does not ", "chain ", "x"])
def test_long_texts_are_read_in_linear_time(part: str) -> None:
    found, began = chosen(f"This standard {part * 20_000}"), process_time()
    with_exclusion("How often are chains checked?", found)
    assert process_time() - began < 3

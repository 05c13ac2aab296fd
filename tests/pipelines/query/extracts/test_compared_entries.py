"""Entries of a list that a question names side by side."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.compared_entries import entries_compared
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

JIB = "The small sail before the mast, for strong winds."
GENOA = "The large sail before the mast, for light winds."


def sails(draft: Draft) -> None:
    draft.add_heading(1, "Kinds of sails")
    draft.add("The harbour lends these sails:")
    for name, said in (("Jib", JIB), ("Lug", "A sail with a yard."), ("Genoa (large)", GENOA), ("Gaff", "It is old.")):
        draft.add(f"- {name}: {said}", "item", level=1)
    draft.add_heading(1, "Sewing")
    draft.add("A genoa is sewn like a jib, and costs more thread.")


def terms_of(draft: Draft) -> None:
    draft.add_heading(1, "Kinds of sails")
    for name, said in (("Jib", JIB), ("Lug", "A sail with a yard."), ("Genoa", GENOA)):
        draft.add(name, "term", level=1)
        draft.add(said, "definition", level=2)


def choose(question: str, fill: object = sails) -> Extraction:
    text = stored(fill)  # type: ignore[arg-type]
    return Chooser(favouring("small sail"), TERMS).choose(question, [hit(text)], [text], 1)


@pytest.mark.parametrize(
    "question",
    ["What is the difference between a jib and a genoa?", "How does the genoa differ from the jib?", "Jib vs genoa?"],
)
def test_both_entries_are_shown_and_no_others(question: str) -> None:
    (extract,) = choose(question).extracts
    assert JIB in extract.shown
    assert GENOA in extract.shown
    assert "yard" not in extract.shown


def test_their_lead_in_stands_before_them_and_the_others_are_hinted_at() -> None:
    (extract,) = choose("What is the difference between a jib and a genoa?").extracts
    first, *_, last = extract.shown.split("\n")
    assert (first, last) == ("The harbour lends these sails:", "…")


def test_terms_are_entries_too() -> None:
    (extract,) = choose("What is the difference between a jib and a genoa?", terms_of).extracts
    assert extract.shown == f"Jib: {JIB}\nGenoa: {GENOA}"


def test_of_long_entries_the_first_sentences_are_shown() -> None:
    def fill(draft: Draft) -> None:
        for name, said in (("Jib", JIB), ("Lug", "A sail with a yard."), ("Genoa", GENOA)):
            more = "Sailors of the harbour tell more of it than anybody wants. " * 9
            draft.add(f"- {name}: {said} {more}", "item", level=1)

    (extract,) = choose("What is the difference between a jib and a genoa?", fill).extracts
    jib, genoa = extract.shown.split("\n")
    assert jib.startswith(f"- Jib: {JIB} Sailors")
    assert jib.endswith("wants. …")
    assert genoa.startswith(f"- Genoa: {GENOA} Sailors")


def titles(draft: Draft) -> None:
    for name, said in (("Jib", JIB), ("Lug", "A sail with a yard."), ("Genoa", GENOA)):
        draft.add(f"- {name}", "item", level=1)
        draft.add(said, level=2)


def test_a_short_line_above_what_is_said_names_an_entry() -> None:
    (extract,) = choose("What is the difference between a jib and a genoa?", titles).extracts
    assert extract.shown == f"- Jib\n{JIB}\n- Genoa\n{GENOA}"


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between a jib and a spinnaker?",
        "Where are the jib and the genoa lent?",
        "What is the difference between a jib, a lug, a genoa and a gaff?",
    ],
)
def test_else_no_entries_are_joined(question: str) -> None:
    text = stored(sails)
    assert entries_compared(question, list(passages_of([hit(text)], [text])), TERMS) == []

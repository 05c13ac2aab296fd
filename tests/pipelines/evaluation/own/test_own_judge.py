"""An answer is judged by what the user sees of it."""

from __future__ import annotations

import pytest

from pipelines.evaluation.own.dataset import OwnQuestion
from pipelines.evaluation.own.judge import MOST_WORDS, code_of, is_cut_off, is_right, outcome
from pipelines.types import Answer, Block, Citation, Span

TEXT = "Bread needs:\n\n- flour\n- salt\n\nbake --hot"
BLOCKS = (
    Block("paragraph", Span(0, 12)),
    Block("item", Span(14, 21), 1),
    Block("item", Span(22, 28), 1),
    Block("code", Span(30, 40)),
)
NEEDS = OwnQuestion(id="q", question="What does bread need?", kind="list", must=("flour", "salt"))
PRICE = OwnQuestion(id="u", question="What does bread cost?", kind="unanswerable")


def citation(number: int, start: int, end: int) -> Citation:
    return Citation(number, "bread.md", 1, f"c{number}", "", "", TEXT[start:end], Span(start, end))


def answer(text: str, *citations: Citation, abstained: bool = False) -> Answer:
    reason = "low_confidence" if abstained else None
    return Answer("a", "?", text, abstained, reason, 0.5, citations, (), (), "", False, False, 1, {})


def test_an_answer_with_the_facts_is_right_and_one_without_is_wrong() -> None:
    assert outcome(NEEDS, answer("Flour and salt. [1]", citation(1, 0, 28))) == "right"
    assert outcome(NEEDS, answer("Flour and water.")) == "wrong"
    assert outcome(PRICE, answer("Flour and salt.")) == "wrong"


def test_an_abstention_is_right_for_the_unanswerable_alone() -> None:
    declined = answer("The documents don't answer this question: flour, salt.", abstained=True)
    assert (outcome(NEEDS, declined), outcome(PRICE, declined)) == ("missed", "declined")
    assert not is_right(NEEDS, declined)


def test_an_answer_that_is_too_long_is_wrong() -> None:
    assert is_right(NEEDS, answer("flour salt" + " and" * (MOST_WORDS - 2)))
    assert not is_right(NEEDS, answer("flour salt" + " and" * (MOST_WORDS - 1)))


def test_a_citation_number_is_not_a_fact() -> None:
    question = OwnQuestion(id="q", question="How many?", kind="number", must=(r"\b1\b",))
    assert not is_right(question, answer("Some. [1]", citation(1, 0, 28)))


@pytest.mark.parametrize(
    ("given", "cut_off"),
    [
        (answer("Bread needs: [1]", citation(1, 0, 12)), True),
        (answer("Bread needs: [1] It is good.", citation(1, 0, 12)), True),
        (answer("Bread needs:\n- flour\n- salt [1]", citation(1, 0, 28)), False),
        (answer("Bread needs: [1] flour, salt [2]", citation(1, 0, 12), citation(2, 14, 28)), False),
        (answer("Bread needs: [1] bake --hot [2]", citation(1, 0, 12), citation(2, 30, 40)), True),
    ],
)
def test_a_lead_in_without_what_it_leads_into_is_cut_off(given: Answer, cut_off: bool) -> None:
    assert is_cut_off(given) == cut_off


def test_an_abstention_is_never_cut_off() -> None:
    assert not is_cut_off(answer("The nearest passages:", abstained=True))


def test_code_is_what_stands_in_code_blocks_of_the_quotes() -> None:
    quoting = answer("bake --hot", citation(1, 22, 40))
    assert list(code_of(quoting, lambda *_: BLOCKS, lambda *_: TEXT)) == ["bake --hot"]
    assert list(code_of(answer("salt", citation(1, 22, 28)), lambda *_: BLOCKS, lambda *_: TEXT)) == []

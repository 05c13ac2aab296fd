from __future__ import annotations

import pytest

from pipelines.query.steps.bridges import find_bridge, find_thing

TRIAL = (
    "In the EMPA-REG OUTCOME trial empagliflozin lowered the risk of cardiovascular death. Metformin was not tested."
)


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "What are the side effects of the drug that lowered deaths in EMPA-REG?",
            "Which drug lowered deaths in EMPA-REG?",
            "What are the side effects of X?",
        ),
        (
            "Which side effects does the drug tested in EMPA-REG have?",
            "Which drug was tested in EMPA-REG?",
            "Which side effects does X have?",
        ),
        (
            "How do the drugs sold as tablets work?",
            "Which drugs were sold as tablets?",
            "How do X work?",
        ),
    ],
)
def test_a_question_about_what_another_one_finds_has_two_steps(question: str, first: str, second: str) -> None:
    bridge = find_bridge(question)
    assert bridge is not None
    assert (bridge.first, bridge.second("X")) == (first, second)


@pytest.mark.parametrize(
    "question",
    ["What is the drug that lowers glucose?", "Does the drug that helps?", "What is metformin?", "", "the drug that"],
)
def test_other_questions_have_no_bridge(question: str) -> None:
    assert find_bridge(question) is None


def test_the_thing_is_named_in_the_sentence_that_answers() -> None:
    known = ["empagliflozin", "metformin"]
    assert find_thing([TRIAL], "Which drug was tested in EMPA-REG OUTCOME?", [known]) == "empagliflozin"
    assert find_thing([TRIAL], "Which trial tested empagliflozin?", [[]]) == "EMPA-REG OUTCOME"
    assert find_thing(["nothing is named here"], "Which drug was tested?", [[]]) is None
    assert find_thing([], "Which drug was tested?", []) is None

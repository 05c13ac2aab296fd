"""Short answers, headings and refusals of a language model are held against what they cite, too."""

from __future__ import annotations

import pytest

from pipelines.engine import Engine
from pipelines.types import Answer
from tests.pipelines.engine.kennel_model import QUESTION, Ask, source, texts

WATER = "Do Siamese cats like water?"


def _answer(engine: Engine, question: str) -> Answer:
    """The answer, which is the same as a stream."""
    events = list(engine.stream_answer(question, history=()))
    answer = engine.answer(question)
    assert events[-1].answer.text == answer.text == texts(events).strip()
    return answer


def _says(says: Ask, said: str) -> Engine:
    return says(
        lambda asked: said.replace("DOG", str(source(asked, "60 minutes"))).replace("CAT", str(source(asked, "Siam")))
    )


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        (QUESTION, "60 minutes [DOG].", "60 minutes [1]."),
        (QUESTION, "60 minutes.", "60 minutes."),
        (QUESTION, "**60 minutes** [DOG]", "**60 minutes** [1]"),
        (QUESTION, "| Beagle | 60 |", "| Beagle | 60 |"),
        (WATER, "No.", "No."),
        (WATER, "No [CAT].", "No [1]."),
        ("Do Siamese cats like company?", "Yes [CAT].", "Yes [1]."),
    ],
)
def test_a_short_answer_that_the_source_supports_is_given(says: Ask, question: str, said: str, shown: str) -> None:
    answer = _answer(_says(says, said), question)
    assert (answer.model, answer.text) == ("m", shown)
    assert [claim.withheld for claim in answer.claims] == [False]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (QUESTION, "90 minutes [DOG]."),
        (QUESTION, "90 minutes."),
        (QUESTION, "# Beagles need 900 minutes of exercise a day [DOG]"),
        (QUESTION, "# Beagles need 900 minutes of exercise a day"),
        (QUESTION, "```\nBeagles need 900 minutes of exercise a day.\n```"),
        (QUESTION, "Beagles need 900 minutes of exercise a day:"),
        (QUESTION, "| Beagle | 900 |"),
        (QUESTION, "Sure!"),
        (WATER, "Yes."),
        (WATER, "Yes [CAT]."),
    ],
)
def test_what_no_source_supports_is_replaced_by_extracts(says: Ask, question: str, said: str) -> None:
    answer = _answer(_says(says, said), question)
    assert answer.model == "extractive"
    assert "900" not in answer.text


def test_what_is_said_beside_a_refusal_is_judged(says: Ask) -> None:
    said = "The documents do not give an exact plan, but beagles need 60 minutes of exercise a day [DOG]."
    answer = _answer(_says(says, said), QUESTION)
    assert (answer.text, answer.abstained) == (said.replace("DOG", "1"), False)
    assert [claim.verdict for claim in answer.claims] == ["supported"]


@pytest.mark.parametrize(
    "said",
    [
        "I don't know exactly, but beagles need 900 minutes of exercise a day.",
        "The documents do not give an exact number, but beagles need 900 minutes of exercise a day [DOG].",
    ],
)
def test_what_is_untrue_beside_a_refusal_is_withheld(says: Ask, said: str) -> None:
    answer = _answer(_says(says, said), QUESTION)
    assert answer.abstained
    assert "900" not in answer.text
    assert [claim.withheld for claim in answer.claims] == [True]

"""What keywords ask."""

import pytest

from pipelines.query.keywords import question_of


@pytest.mark.parametrize(
    ("keywords", "question"),
    [
        ("mount winch deck", "How do I mount winch deck?"),
        ("install lamps", "How do I install lamps?"),
        ("Default depth", "What is the Default depth?"),
        ("mooring depth default", "What is the default mooring depth?"),
        ("ferry ticket price", "What is the ferry ticket price?"),
        ("rope kinds", "Which rope kinds are there?"),
        ("rope kinds ferry", "Which rope kinds are there for ferry?"),
        ("rope kinds of ferry", "Which rope kinds are there of ferry?"),
        ("small boat engine faults symptoms", "Which small boat engine faults symptoms are there?"),
        ("cleat hitch", "What is cleat hitch?"),
    ],
)
def test_keywords_ask_for_a_task_a_value_several_things_or_one(keywords: str, question: str) -> None:
    assert question_of(keywords) == question


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anchor",
        "what is an anchor",
        "Do ropes sink?",
        "it sinks",
        "cleats vs bollards",
        "list ropes",
        "comment nourrir les chats",
        "wie viele taus",
        "tipos de nudos básicos",
        "Cleat hitch",
        "accidents per year",
        "boats sold 2023",
        "anchor chain grown over weed near pier",
        "ropes and chains and anchors and cleats and lamps and oars",
    ],
)
def test_what_asks_already_or_too_little_stays_as_it_is(text: str) -> None:
    assert question_of(text) == text

"""Headings that ask for something else than the question."""

import pytest

from pipelines.query.extracts.language.other_questions import asks_otherwise


@pytest.mark.parametrize(
    ("question", "heading", "is_other"),
    [
        ("How do I leave the crew?", "When is my locker emptied?", True),
        ("How do I leave the crew?", "You gave up. When is my locker emptied?", True),
        ("How do I leave the crew?", "When is the crew paid?", False),
        ("How do I leave the crew?", "How do I hand in my oar?", False),
        ("How do I leave the crew?", "Giving up", False),
        ("How do I get rid of an oar?", "When may old wood be thrown away?", False),
    ],
)
def test_another_question_has_no_word_of_the_asked_one_and_another_form(
    question: str, heading: str, is_other: bool
) -> None:
    assert asks_otherwise(question, heading) is is_other

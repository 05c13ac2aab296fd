"""What was asked in a message that was made of a question and its sources."""

import pytest

from pipelines.profile.prompts import Prompt
from pipelines.query.prompts import AnswerPrompt

SOURCES = '{"source": 1, "text": "Question: \\"no\\""}\n{"source": 2, "text": "x"}'
QUESTIONS = ("How?", 'Who said "{{sources}}"\nQuestion: "why"?', "\\", "")


@pytest.mark.parametrize(
    "user", ["Sources:\n{{sources}}\n\nQuestion: {{question}}", "{{question}} of\n{{ sources }}\nAgain: {{question}}."]
)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_question_is_found_again_in_its_message(user: str, question: str) -> None:
    prompt = AnswerPrompt(Prompt({"system": "", "user": user}), "")
    assert prompt.question_in(prompt.turn(SOURCES, question).content) == question


@pytest.mark.parametrize("said", ["How?", "Sources:\n\nQuestion: How?", 'Sources:\n\nQuestion: "How?" or why?', ""])
def test_any_other_message_is_the_question_itself(said: str) -> None:
    prompt = AnswerPrompt(Prompt({"system": "", "user": "Sources:\n{{sources}}\n\nQuestion: {{question}}"}), "")
    assert prompt.question_in(said) == said

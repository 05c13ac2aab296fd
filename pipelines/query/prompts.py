"""The messages of an answer: rules, the conversation up to now, and the numbered sources with the question.

The prompt of a turn begins with exactly the prompts and replies of the turns before it, so that a server goes on from
what it keeps of them: the rules do not change, and each turn is appended as it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from pipelines.components.llm import Message
from pipelines.profile.prompts import Prompt
from pipelines.query.data_lines import data_line
from pipelines.types import AnswerFormat

AS_JSON = """

Reply with one JSON object and nothing else: {"sentences": [{"text": "...", "sources": [1]}]}. Each sentence of the
answer is one element; "sources" lists the numbers of the sources that say it, and "text" has no brackets of its own.
If the sources do not answer the question, "sentences" is empty."""


_FORMS = {"sources": ".*", "question": r'"(?:[^"\\]|\\.)*"'}


class WrittenSentence(BaseModel):
    """A sentence of an answer in JSON."""

    model_config = ConfigDict(extra="ignore")
    text: str
    sources: list[int]


class WrittenAnswer(BaseModel):
    """An answer in JSON."""

    model_config = ConfigDict(extra="ignore")
    sentences: list[WrittenSentence]


class AnswerPrompt:
    """Makes the messages of answers.

    Attributes:
        as_json: Whether the model is to write JSON.

    Args:
        prompt: The profile's prompt, or the default.
        title: The tenant's name for people.
        as_json: Whether the model is to write JSON.
    """

    def __init__(self, prompt: Prompt, title: str, *, as_json: bool = False) -> None:
        self.as_json = as_json
        self._prompt = prompt
        self._title = title
        self._rules = prompt.filled("system", {"title": title}) + (AS_JSON if as_json else "")

    def in_format(self, answer_format: AnswerFormat | None) -> AnswerPrompt:
        """Return the prompt that asks for this format; None: for the profile's."""
        if answer_format is None or (answer_format == "json") == self.as_json:
            return self
        return AnswerPrompt(self._prompt, self._title, as_json=not self.as_json)

    def turn(self, sources: str, question: str) -> Message:
        """Return the message of one turn; the question is JSON text, so that it cannot pose as sources or rules."""
        values = {"sources": sources, "question": data_line(question)}
        return Message("user", self._prompt.filled("user", values))

    def question_in(self, message: str) -> str:
        """Return what was asked in a message of a user: the question where it is one of `turn`, else all of it."""
        values = self._prompt.values_in("user", message, _FORMS)
        try:
            question = None if values is None else json.loads(values["question"])
        except ValueError:  # a conversation that is kept elsewhere may hold anything
            question = None
        return message if question is None else str(question)

    def messages(self, turn: Message, history: Sequence[Message] = ()) -> list[Message]:
        """Return everything that is sent: the rules, the prompts and replies of earlier turns, and this turn."""
        return [Message("system", self._rules), *history, turn]

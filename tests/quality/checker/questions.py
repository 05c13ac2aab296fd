"""Judged questions, and the passages that a model read for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question, and the expressions that a passage which answers matches; none where the documents leave it open."""

    text: str
    expressions: tuple[re.Pattern[str], ...]

    def is_answered_by(self, passage: str) -> bool:
        """Return whether ``passage`` answers; white space counts as one blank."""
        plain = " ".join(passage.split())
        return bool(self.expressions) and all(one.search(plain) for one in self.expressions)


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """What was read for a question: texts, their scores by the model as it was, and which of them answer."""

    question: str
    texts: list[str]
    scores: list[float]
    answers: list[bool]
    answerable: bool


def read_questions(path: Path) -> Iterator[JudgedQuestion]:
    """Yield the questions of a file.

    Raises:
        ValueError: A line is not of the form that the package's docstring gives.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match line.split("\t"):
            case ["a", text, expression] if expression.strip():
                parts = (re.compile(part.strip(), re.IGNORECASE | re.DOTALL) for part in expression.split(" && "))
                yield JudgedQuestion(text, tuple(parts))
            case ["u", text, *rest] if not any(map(str.strip, rest)):
                yield JudgedQuestion(text, ())
            case _:
                raise ValueError(f"{path}, line {number}: neither a question with an expression nor one left open")

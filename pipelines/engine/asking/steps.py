"""Looks a question up in steps: sub-questions, round by round, each with a search of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from pipelines.components.llm import Llm
from pipelines.profile.sections.answers import StepsSection
from pipelines.query.answerer import Answerer
from pipelines.query.conversation.followup import Rarity, with_subject
from pipelines.query.steps.clauses import insert_subject, leans
from pipelines.query.steps.parts import Part
from pipelines.query.steps.questions import StepsQuery, SubQuestions
from pipelines.query.terms import Terms
from pipelines.types import SearchResult, StepDone, StepsUse

_MOST_CHARS = 1000
Find = Callable[[str], SearchResult]
"""What is found for a sub-question."""


class Steps:
    """Splits questions, and finds what answers their parts.

    Args:
        settings: The profile's section on steps.
        questions: Generates sub-questions.
        answerer: Judges how well what was found answers.
        terms: The terms of a text.
    """

    def __init__(self, settings: StepsSection, questions: SubQuestions, answerer: Answerer, terms: Terms) -> None:
        self._settings = settings
        self._questions = questions
        self._answerer = answerer
        self._terms = terms

    def first_round(
        self, question: str, use: StepsUse | None, llm: Llm | None, rarity: Rarity
    ) -> tuple[StepsQuery, list[str]]:
        """Return the question with what splits it, and its first sub-questions; none if it is looked up whole.

        Args:
            question: What is asked, understood by itself.
            use: Which questions are split; None: as the profile says.
            llm: The model that splits; None: the rule does.
            rarity: How rare a word is in the documents.
        """

        def complete(part: str, earlier: Sequence[str]) -> str:
            completed = with_subject(part, earlier, self._terms, rarity) if leans(part) else None
            return part if completed is None else insert_subject(part, completed)

        chosen = use or self._settings.use
        asked = StepsQuery(query_str=question, complete=complete, llm=llm, use=chosen)
        return asked, [] if chosen == "never" else self._next(asked, self._settings.most)

    def parts(self, asked: StepsQuery, first: Sequence[str], find: Find) -> Generator[StepDone, None, list[Part]]:
        """Yield each sub-question that was looked up, and return them all; fewer than two answer no question whole."""
        parts: list[Part] = []
        waiting = list(first)
        for number in range(1, self._settings.rounds + 1):
            for question in waiting:
                parts.append(self._answerer.part(question, find(question), number))
                yield StepDone(parts[-1].step())
            room = self._settings.most - len(parts)
            if room < 1 or number == self._settings.rounds:
                break
            waiting = self._next(replace(asked, findings=[part.finding() for part in parts]), room)
            if not waiting:
                break
        return parts

    def _next(self, asked: StepsQuery, most: int) -> list[str]:
        """The next sub-questions; what is beyond ``most`` is asked with the last one, and not dropped."""
        questions = [one.sub_question for one in self._questions.generate([], asked)]
        if len(questions) <= most:
            return questions
        return [*questions[: most - 1], " ".join(questions[most - 1 :])[:_MOST_CHARS]]

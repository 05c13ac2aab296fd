"""What users say of a tenant's answers, and how its prompt variants do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pipelines.catalogue.trials import Trials
from pipelines.engine.parts.records import Records
from pipelines.engine.parts.view import TenantView
from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.experiment import compared, reported
from pipelines.query.kinds import checked_page
from pipelines.query.requests import checked_user
from pipelines.query.reuse import AnswerCache
from pipelines.query.variants import Variants
from pipelines.types import CitationMark, Experiment, Feedback, FeedbackPage, FeedbackTotals, Unlabelled

_MOST_COMMENT_CHARS = 4000


class FeedbackLog:
    """What users say of the answers that were given from one place.

    Args:
        view: What can be seen.
        records: Where answers and opinions are kept.
        cache: The answers that may be reused.
        variants: The profile's prompts.
    """

    def __init__(self, view: TenantView, records: Records, cache: AnswerCache, variants: Variants) -> None:
        self._view = view
        self._answers = records.answers
        self._opinions = records.opinions
        self._trials = Trials(records.answers)
        self._cache = cache
        self._variants = variants

    def give(
        self,
        answer_id: str,
        *,
        helpful: bool | None = None,
        comment: str | None = None,
        citations: Iterable[CitationMark | Mapping[str, Any]] = (),
        user: str | None = None,
    ) -> Feedback:
        """See `UseAccess.feedback`."""
        marks, words = tuple(map(_mark, enumerate(citations))), _words(comment)
        problems = [*self._not_kept(), *_problems(helpful, words, marks)]
        if problems:
            raise InvalidRequest(*problems)
        caller = checked_user(user) or ""
        noted = self._opinions.give(self._view.reader, caller, answer_id, helpful=helpful, comment=words, marks=marks)
        if helpful is False or not all(mark.correct for mark in marks):
            self._cache.forget_answer(answer_id)
        return noted

    def withdraw(self, answer_id: str, *, user: str | None = None) -> None:
        """Withdraw a user's feedback on an answer; see `UseAccess.withdraw_feedback`."""
        self._opinions.withdraw(self._view.reader, checked_user(user) or "", answer_id)

    def page(self, limit: int = 50, cursor: str | None = None, *, helpful: bool | None = None) -> FeedbackPage:
        """Return feedback, the newest first; ``cursor`` is the last page's ``next_cursor``.

        Args:
            limit: Most of a page.
            cursor: Where the page begins.
            helpful: Only thumbs up (True) or down (False).

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000, or ``cursor`` is not a cursor issued by this method.
        """
        checked_page(limit, cursor)
        return self._opinions.list(self._view.reader, limit, cursor, helpful)

    def unlabelled(self, limit: int = 20) -> list[Unlabelled]:
        """See `UseAccess.unlabelled`."""
        checked_page(limit)
        return list(self._opinions.unlabelled(self._view.reader, limit))

    def experiments(self) -> Experiment:
        """See `UseAccess.experiments`."""
        trials = {(trial.variant, trial.prompt): trial for trial in self._trials.list(self._view.reader)}
        variants = [variant for variant in self._variants if variant.name is not None]
        reports = [
            reported(variant.name or "", variant.weight, trials.pop((variant.name, variant.fingerprint), None))
            for variant in variants
        ]
        left_out = sum(trial.answers for trial in trials.values() if variants)
        return compared(reports, left_out, self._view.profile.feedback.keep_days)

    def totals(self) -> FeedbackTotals:
        """Return how many answers were judged, and how."""
        return self._opinions.totals(self._view.reader)

    def _not_kept(self) -> Iterator[Problem]:
        if not self._answers.kept:
            yield Problem("answer_id", "the profile remembers no answers: feedback -> keep_days is 0")


def _mark(numbered: tuple[int, CitationMark | Mapping[str, Any]]) -> CitationMark:
    place, given = numbered
    try:
        mark = given if isinstance(given, CitationMark) else CitationMark(**given)
    except TypeError:
        raise InvalidRequest(Problem(f"citations -> {place}", "must have number, correct and maybe comment")) from None
    return replace(mark, comment=_words(mark.comment))


def _words(text: Any) -> Any:
    """Return a comment without blanks around it; None where nothing is left."""
    return text.strip() or None if isinstance(text, str) else text


def _problems(helpful: object, comment: object, marks: tuple[CitationMark, ...]) -> Iterator[Problem]:
    if helpful is None and comment is None and not marks:
        yield Problem("", "feedback is empty: give helpful, comment or citations")
    if helpful is not None and not isinstance(helpful, bool):
        yield Problem("helpful", "must be true or false")
    yield from _wrong_words("comment", comment)
    seen: set[int] = set()
    for place, mark in enumerate(marks):
        where = f"citations -> {place}"
        if not isinstance(mark.number, int) or isinstance(mark.number, bool):
            yield Problem(f"{where} -> number", "must be the number of a citation")
        elif mark.number in seen:
            yield Problem(f"{where} -> number", f"citation {mark.number} is marked twice")
        else:
            seen.add(mark.number)
        if not isinstance(mark.correct, bool):
            yield Problem(f"{where} -> correct", "must be true or false")
        yield from _wrong_words(f"{where} -> comment", mark.comment)


def _wrong_words(name: str, text: object) -> Iterator[Problem]:
    if text is None:
        return
    if not isinstance(text, str):
        yield Problem(name, "must be text")
    elif len(text) > _MOST_COMMENT_CHARS:
        yield Problem(name, f"{len(text):,} characters are over the limit of {_MOST_COMMENT_CHARS:,}")
    elif "\0" in text or any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        yield Problem(name, "contains an invalid character: NUL, or half of a surrogate pair")

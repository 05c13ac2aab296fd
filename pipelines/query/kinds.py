"""Checks the kinds of values that Python callers give; over HTTP the schemas do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from numbers import Real
from typing import TypeGuard

from pipelines.errors import InvalidRequest, Problem
from pipelines.types import Caller, Message, Query

_BOOLEANS = ("inherit", "tools")
_SHARES = ("min_score", "diversity")
_MOST_LISTED = 1000


def checked_kinds(query: Query) -> None:
    """Refuse a query with a field of the wrong kind, where no other check reads that field first.

    Raises:
        InvalidRequest: A field is of the wrong kind; all problems are listed.
    """
    if problems := [*_plain_problems(query), *_listed_problems(query)]:
        raise InvalidRequest(*problems)


def checked_flag(name: str, value: object) -> None:
    """Refuse what is neither true nor false: ``"no"`` would count as true.

    Raises:
        InvalidRequest: It is not.
    """
    if not isinstance(value, bool):
        raise InvalidRequest(Problem(name, "must be true or false"))


def checked_questions(questions: object) -> None:
    """Refuse one question where a list of them is taken: its letters would be asked.

    Raises:
        InvalidRequest: It is one.
    """
    if isinstance(questions, str | Query):
        raise InvalidRequest(Problem("questions", "must be a list of questions; `answer` takes a single one"))


def checked_text(name: str, value: object) -> None:
    """Require text.

    Raises:
        InvalidRequest: ``value`` is not text.
    """
    if not isinstance(value, str):
        raise InvalidRequest(Problem(name, "must be text"))


def checked_texts(name: str, value: object) -> None:
    """Require a list of texts. A single text is refused, because it would be read as a list of its letters.

    Raises:
        InvalidRequest: ``value`` is not a list of texts.
    """
    if isinstance(value, str) or not isinstance(value, Collection) or not all(isinstance(one, str) for one in value):
        raise InvalidRequest(Problem(name, "must be a list of texts"))


def checked_earlier(value: object) -> None:
    """Require a list of earlier questions, each with its answer.

    Raises:
        InvalidRequest: ``value`` is not a list of pairs of texts.
    """
    if isinstance(value, str) or not isinstance(value, Collection) or not all(map(_is_turn, value)):
        raise InvalidRequest(Problem("earlier", 'must be a list of pairs, such as [("a question", "its answer")]'))


def _is_turn(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(one, str) for one in value)


def checked_page(limit: object, cursor: object = None) -> None:
    """Refuse a page of a list that cannot be asked for.

    Raises:
        InvalidRequest: ``limit`` is no whole number in 1..1000, or ``cursor`` is no text.
    """
    if not is_whole(limit):
        raise InvalidRequest(Problem("limit", "must be a whole number"))
    if not 1 <= limit <= _MOST_LISTED:
        raise InvalidRequest(Problem("limit", f"{limit} is not between 1 and {_MOST_LISTED}"))
    if not (cursor is None or isinstance(cursor, str)):
        raise InvalidRequest(Problem("cursor", "must be text, the next_cursor of the page before"))


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _plain_problems(query: Query) -> Iterator[Problem]:
    for name in _BOOLEANS:
        if not isinstance(getattr(query, name), bool):
            yield Problem(name, "must be true or false")
    for name in _SHARES:
        yield from _share_problems(name, getattr(query, name))
    if not isinstance(query.note, str):
        yield Problem("note", "must be text")
    if not isinstance(query.caller, Caller):
        yield Problem("caller", "must be a pipelines.types.Caller")
    if not (query.llm is None or isinstance(query.llm, Mapping)):
        yield Problem("llm", 'must be a mapping, such as {"model": "qwen3:8b"}')


def _share_problems(name: str, value: object) -> Iterator[Problem]:
    if value is None and name != "min_score":
        return
    if not isinstance(value, Real) or isinstance(value, bool):
        yield Problem(name, "must be a number")
    elif not 0 <= float(value) <= 1:
        yield Problem(name, f"{value} is not between 0 and 1")


def _listed_problems(query: Query) -> Iterator[Problem]:
    if not (query.documents is None or _holds(query.documents, str)):
        yield Problem("documents", 'must be a list of ids, such as ["guide.md"]')
    if not (query.history is None or _holds(query.history, Message)):
        yield Problem("history", 'must be a list of messages, such as [Message("user", "...")], of pipelines.types')


def _holds(values: object, kind: type) -> bool:
    """Return whether ``values`` is a list of ``kind``, or another collection; a text is none of texts."""
    return (
        isinstance(values, Collection)
        and not isinstance(values, str | bytes | Mapping)
        and all(isinstance(value, kind) for value in values)
    )

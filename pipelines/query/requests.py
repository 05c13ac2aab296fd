"""Checks what is asked against what the profile allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np

from pipelines.components.search_query import SearchQuery, Vector
from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.schema import Profile
from pipelines.query.kinds import is_whole
from pipelines.types import Mode

_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
_MOST_USER_CHARS = 400  # a key's name and the user that it asks for


def checked_request(name: str, text: str, top_k: int | None, mode: Mode | None, profile: Profile) -> SearchQuery:
    """Return the search that is asked for, with the profile's defaults and without a filter.

    Args:
        name: What the request calls its text: ``query`` or ``question``.

    Raises:
        InvalidRequest: Something is of the wrong kind, or out of the profile's limits; all problems are listed.
    """
    wanted = profile.retrieval.top_k if top_k is None else top_k
    problems = [
        *_text_problems(name, text, profile.limits.question_chars),
        *_top_k_problems(wanted, profile.limits.top_k),
        *_mode_problems(mode),
    ]
    if problems:
        raise InvalidRequest(*problems)
    return SearchQuery(query_str=text, top_k=wanted, mode=mode or profile.retrieval.mode)


def checked_vector(query: str, vector: Sequence[float], dimensions: int) -> Vector:
    """Return a question that comes as a vector, in the form that the store takes: of length 1, whatever it was.

    Raises:
        InvalidRequest: It is no vector of the model that the chunks were embedded with.
    """
    try:
        given = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (dimensions,):
        found = f", not {len(vector)}" if isinstance(vector, Sequence) else ""
        text = f"must be {dimensions} numbers, as the embedding model gives them{found}"
        raise InvalidRequest(Problem("vector", text))
    if not np.isfinite(given).all() or not given.any():
        raise InvalidRequest(Problem("vector", "must be finite and not all zeros"))
    if flaw := list(_text_problems("query", query or "-", (0, len(query) + 1))):
        raise InvalidRequest(*flaw)
    given = given / np.abs(given).max()  # or the squares of large numbers would be too large
    return np.asarray(given / np.linalg.norm(given), dtype=np.float32)


def checked_name(name: str, value: object, most: int = 200) -> None:
    """Refuse what cannot be the name of a conversation, a key or a user: more than ``most`` characters, or odd ones.

    Raises:
        InvalidRequest: It is no text, or of a length or with characters that a name does not have.
    """
    if not isinstance(value, str):
        raise InvalidRequest(Problem(name, "must be text"))
    if not (1 <= len(value) <= most and value.isprintable()):
        raise InvalidRequest(Problem(name, f"must be 1 to {most} printable characters"))


def checked_id(name: str, value: object, most: int = 200) -> None:
    """Refuse what cannot be the id of a conversation or a key, which stands in addresses.

    Raises:
        InvalidRequest: See `checked_name`; or it is ``.`` or ``..``, which clients resolve.
    """
    checked_name(name, value, most)
    if value in (".", ".."):
        raise InvalidRequest(
            Problem(name, f'"{value}" is a step in an address, so that no client could ask for it; use another')
        )


def checked_user(user: str | None) -> str | None:
    """Who asks or judges, as they may be named.

    Raises:
        InvalidRequest: See `checked_name`.
    """
    if user is not None:
        checked_name("user", user, _MOST_USER_CHARS)
    return user


def checked_choice(name: str, value: str | None, choices: object) -> None:
    """Refuse what is not among ``choices``, a `Literal`.

    Raises:
        InvalidRequest: It is not.
    """
    known = get_args(choices)
    if value is not None and value not in known:
        raise InvalidRequest(Problem(name, f'"{value}" is not one of {", ".join(known)}', nearest(str(value), known)))


def _text_problems(name: str, text: object, bounds: tuple[int, int]) -> Iterator[Problem]:
    least, most = bounds
    if not isinstance(text, str):
        yield Problem(name, "must be text")
    elif not least <= len(text.strip()):
        found = f"has {len(text.strip())} characters besides blanks" if text.strip() else "is empty"
        yield Problem(name, f"{found}; it must have {least} to {most} characters")
    elif len(text) > most:
        yield Problem(name, f"has {len(text)} characters; it must have {least} to {most}")
    elif "\0" in text:
        yield Problem(name, "holds a NUL character")
    elif _HALF_CHARACTER.search(text):
        yield Problem(name, "holds half a character (a lone surrogate); send valid Unicode")


def _top_k_problems(top_k: object, most: int) -> Iterator[Problem]:
    if not is_whole(top_k):
        yield Problem("top_k", "must be a whole number")
    elif not 1 <= top_k <= most:
        yield Problem("top_k", f"{top_k} is not between 1 and {most}")


def _mode_problems(mode: object) -> Iterator[Problem]:
    if mode is not None and mode not in get_args(Mode):
        yield Problem("mode", f'"{mode}" is not one of {", ".join(get_args(Mode))}', nearest(str(mode), get_args(Mode)))

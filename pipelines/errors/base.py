"""The root of the error tree, its main branches, and the problems that an error lists."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

MAX_PROBLEMS = 50
"""The most problems listed for one request; a body may have tens of thousands."""
MOST_CHARS = 2000
"""The most characters of a problem, which may quote what a client sent."""
_MARK = " [...] "
_NAME_CHARS = 200  # looking for the nearest name takes a time that grows with the text


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (in the user's words), what, and the nearest thing that would be right."""

    path: str
    message: str
    suggestion: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _shortened(self.path))
        object.__setattr__(self, "message", _shortened(self.message))

    def __str__(self) -> str:
        hint = f', did you mean "{self.suggestion}"?' if self.suggestion else ""
        return f"{self.path}: {self.message}{hint}" if self.path else f"{self.message}{hint}"


def _shortened(text: str, most: int = MOST_CHARS) -> str:
    """Return a text with its middle left out where it has more than ``most`` characters."""
    if len(text) <= most:
        return text
    half = (most - len(_MARK)) // 2
    return f"{text[:half]}{_MARK}{text[-half:]}"


def nearest(given: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``given`` was probably meant to be."""
    found = difflib.get_close_matches(given[:_NAME_CHARS].lower(), known, n=1, cutoff=0.5)
    return found[0] if found else None


class FootnoteError(Exception):
    """Base of all errors that Footnote raises on purpose."""

    code = "error"

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        self.message = _shortened(message, MAX_PROBLEMS * MOST_CHARS)
        super().__init__(self.message)
        self.problems = problems


class InvalidRequest(FootnoteError):
    """A request is malformed, or the profile forbids what it asks for."""

    code = "request_invalid"

    def __init__(self, *problems: Problem) -> None:
        shown, more = problems[:MAX_PROBLEMS], len(problems) - MAX_PROBLEMS
        listed = [*map(str, shown), *([f"and {more} more"] if more > 0 else [])]
        super().__init__("; ".join(listed), shown)


class NotFound(FootnoteError):
    """The requested thing does not exist, or the caller may not see it."""

    code = "not_found"


class Conflict(FootnoteError):
    """The request conflicts with the current state."""

    code = "conflict"


class Unavailable(FootnoteError):
    """A part such as the store or a model server cannot be reached."""

    code = "unavailable"

    def __init__(self, part: str, detail: str) -> None:
        super().__init__(f"{part} is not available: {detail}")
        self.detail = detail


class PartTimeout(FootnoteError):
    """A part answered too slowly."""

    code = "timeout"

    def __init__(self, part: str, seconds: float) -> None:
        super().__init__(f"{part} did not answer within {seconds:g} s")

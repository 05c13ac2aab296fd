"""Synonym files: one line per meaning.

``hypoglycaemia, low blood sugar`` are equivalent; ``semaglutide => GLP-1`` works one way only, and so does
``neuropathy ~ numbness``: a related term, which is looked for but means something else. ``#`` begins a comment.
In a file of names a line may be one name, of a thing that goes by no other. Phrases are compared by stems, in any word
order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import Problem, ProfileError

_SECTION = "retrieval -> expansion"
_MOST_BYTES = 5_000_000
_ARROW = "=>"
_TILDE = "~"


@dataclass(frozen=True, slots=True)
class Synonyms:
    """``phrases``, and the ``meanings`` to search for as well if a question holds one of them.

    ``related``: what is meant is only related, and a passage that says it may be about something else.
    """

    phrases: tuple[str, ...]
    meanings: tuple[str, ...]
    related: bool = False


def read_synonyms(file: Path | None, key: str = "synonyms") -> tuple[Synonyms, ...]:
    """Read the lines of ``file``, which ``key`` of the section names; none for no file.

    Raises:
        ProfileError: It cannot be read, or has invalid lines; all problems are listed.
    """
    if file is None:
        return ()
    path = f"{_SECTION} -> {key}"
    lines = list(_lines(_text(file, path)))
    problems = [
        Problem(path, f"{file.name}, line {number}: {fault}") for number, line in lines if (fault := _fault(line, key))
    ]
    if problems:
        raise ProfileError(file.parent.name, tuple(problems))
    return tuple(_synonyms(line) for _, line in lines)


def synonym_problems(file: Path | None, key: str = "synonyms") -> tuple[Problem, ...]:
    """Return all problems of ``file``; see `read_synonyms`."""
    try:
        read_synonyms(file, key)
    except ProfileError as error:
        return error.problems
    return ()


def _text(file: Path, path: str) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise _unusable(file, path, f"is over {_MOST_BYTES:,} bytes")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _unusable(file, path, f"cannot be read (relative to the profile's folder): {error.strerror}") from None
    except UnicodeDecodeError:
        raise _unusable(file, path, "is not UTF-8 text") from None


def _unusable(file: Path, path: str, fault: str) -> ProfileError:
    return ProfileError(file.parent.name, (Problem(path, f"{file.name} {fault}"),))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content


def _fault(line: str, key: str) -> str | None:
    sign = _sign(line)
    sides = line.split(sign)
    if len(sides) > 2:
        return f'"{sign}" occurs twice; write two lines'
    if sign == _ARROW and _TILDE in line:
        return f'"{_ARROW}" and "{_TILDE}" stand in one line; write two lines'
    if sign == _TILDE and len(sides) == 2 and key == "names":
        return f'"{_TILDE}" is for the file of synonyms: a name is either of a thing or not'
    if not all(map(_phrases, sides)):
        return f'one side of "{sign}" is empty'
    if len(sides) == 1 and len(_phrases(line)) < 2 and key != "names":
        return "a single phrase has no synonym; add others, separated by commas"
    return None


def _synonyms(line: str) -> Synonyms:
    sign = _sign(line)
    left, found, right = line.partition(sign)
    return Synonyms(_phrases(left), _phrases(right if found else left), related=found == _TILDE)


def _sign(line: str) -> str:
    return _ARROW if _ARROW in line else _TILDE


def _phrases(side: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(phrase.split()) for phrase in side.split(","))))

"""Synonym files: one line per meaning.

``hypoglycaemia, low blood sugar`` are equivalent; ``semaglutide => GLP-1`` works one way only. ``#`` begins a comment.
Phrases are compared by stems, in any word order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import Problem, ProfileError

_SECTION = "retrieval -> expansion"
_MOST_BYTES = 5_000_000
_ARROW = "=>"


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Phrases (``said``), and what to search for as well if a question holds one (``meant``)."""

    said: tuple[str, ...]
    meant: tuple[str, ...]


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
        Problem(path, f"{file.name}, line {number}: {fault}") for number, line in lines if (fault := _fault(line))
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
        said = line.partition("#")[0].strip()
        if said:
            yield number, said


def _fault(line: str) -> str | None:
    sides = line.split(_ARROW)
    if len(sides) > 2:
        return f'"{_ARROW}" occurs twice; write two lines'
    if not all(map(_phrases, sides)):
        return f'one side of "{_ARROW}" is empty'
    if len(sides) == 1 and len(_phrases(line)) < 2:
        return "a single phrase has no synonym; add others, separated by commas"
    return None


def _synonyms(line: str) -> Synonyms:
    said, arrow, meant = line.partition(_ARROW)
    return Synonyms(_phrases(said), _phrases(meant if arrow else said))


def _phrases(side: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(phrase.split()) for phrase in side.split(","))))

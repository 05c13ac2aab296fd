"""Files of synonyms: what a question's words stand for too, one line for each meaning.

``hypoglycaemia, low blood sugar`` mean each other; ``semaglutide => GLP-1`` goes one way only. What follows ``#`` is a
remark. Phrases are compared by their stems, in any order of their words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import Problem, ProfileError

_KEY = "retrieval -> expansion -> synonyms"
_MOST_BYTES = 5_000_000
_ARROW = "=>"


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Phrases, and what is also looked for where a question holds one of them."""

    said: tuple[str, ...]
    meant: tuple[str, ...]


def read_synonyms(file: Path | None) -> tuple[Synonyms, ...]:
    """The lines of ``file``; none for no file.

    Raises:
        ProfileError: It cannot be read, or a line says nothing; all problems are listed.
    """
    if file is None:
        return ()
    lines = list(_lines(_text(file)))
    problems = [
        Problem(_KEY, f"{file.name}, line {number}: {fault}") for number, line in lines if (fault := _fault(line))
    ]
    if problems:
        raise ProfileError(file.parent.name, tuple(problems))
    return tuple(_synonyms(line) for _, line in lines)


def synonym_problems(file: Path | None) -> tuple[Problem, ...]:
    """Everything that is wrong with ``file``."""
    try:
        read_synonyms(file)
    except ProfileError as error:
        return error.problems
    return ()


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise _unusable(file, f"is over {_MOST_BYTES:,} bytes")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _unusable(file, f"cannot be read, seen from the profile's folder: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _unusable(file, "is not text in UTF-8") from None


def _unusable(file: Path, fault: str) -> ProfileError:
    return ProfileError(file.parent.name, (Problem(_KEY, f"{file.name} {fault}"),))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].strip()
        if said:
            yield number, said


def _fault(line: str) -> str | None:
    sides = line.split(_ARROW)
    if len(sides) > 2:
        return f'"{_ARROW}" stands in it twice; write two lines'
    if not all(map(_phrases, sides)):
        return f'nothing stands on one side of "{_ARROW}"'
    if len(sides) == 1 and len(_phrases(line)) < 2:
        return "one phrase alone means nothing else; write others behind it, with commas between them"
    return None


def _synonyms(line: str) -> Synonyms:
    said, arrow, meant = line.partition(_ARROW)
    return Synonyms(_phrases(said), _phrases(meant if arrow else said))


def _phrases(side: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(phrase.split()) for phrase in side.split(","))))

"""Earlier mail that a message quotes, below the line that says who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_QUOTED = re.compile(r"(?:> ?)+")
_FROM = re.compile(r"\*?(?:From|Von):\*?[ \t]+\S")
_SUBJECT = re.compile(r"\*?(?:Subject|Betreff):")
_LONGEST_LINE = 300
"""Characters of a line that says who wrote what it stands above, with an address."""
_HEADERS = 6
"""Lines below the sender, one of which says what a message is about; a journey has none."""
_SIGNED = 10
"""Lines of a signature, with the dashes above it, at most."""


class QuotedPart(NamedTuple):
    """A part of a body: the line that says who wrote it, empty for the writer's own, and the lines below that."""

    heading: str
    text: str


class _Line(NamedTuple):
    """A line without the signs that quote it, and how many they are."""

    shown: str
    depth: int


def without_signs(line: str) -> str:
    """Return a line without the signs that quote it."""
    return _QUOTED.sub("", line, count=1) if line.startswith(">") else line


def quoted_parts(text: str) -> Iterator[QuotedPart]:
    """Yield the parts of a body: the writer's own, and each earlier message that is quoted below it to the end.

    A quote that the writer goes on below stays in the part that it is in: who wrote what is not told by a heading. What
    programs put below all quotes, the writer's signature, is of the writer's own part.
    """
    written = text.split("\n")
    end = _signature(written)
    first, *quoted = _parts(written[:end])
    signature = written[end:]
    if quoted:
        yield QuotedPart("", "\n".join((first.text, *signature)))
        yield from quoted
    else:
        yield QuotedPart("", text)


def _signature(written: Sequence[str]) -> int:
    """Return the number of the line where a signature right below a quote begins; how many lines there are if none
    does.
    """
    for at in range(len(written) - 1, max(len(written) - _SIGNED, 0) - 1, -1):
        if written[at].rstrip() == "--":
            above = next((line for line in reversed(written[:at]) if line.strip()), "")
            return at if above.startswith(">") else len(written)
    return len(written)


def _parts(written: Sequence[str]) -> Iterator[QuotedPart]:
    lines = [_line(line) for line in written]
    floors, ceilings = _depths_below(lines)
    heading, begins, at = "", 0, 0
    while at < len(lines):
        count = _introduces(lines, at, floors, ceilings)
        if count:
            yield QuotedPart(heading, "\n".join(written[begins:at]))
            heading = " ".join(line.shown for line in lines[at : at + count])
            begins = at + count
        at += max(count, 1)
    yield QuotedPart(heading, "\n".join(written[begins:]))


def says_who_wrote(heading: str) -> bool:
    """Return whether a heading is that of an earlier message that is quoted."""
    return _FROM.match(heading) is not None or _says_who_wrote(heading)


def _line(line: str) -> _Line:
    shown = without_signs(line)
    return _Line(shown.strip(), line[: len(line) - len(shown)].count(">"))


def _depths_below(lines: Sequence[_Line]) -> tuple[list[int], list[int]]:
    """Return how deep the lines below each line are quoted at least and at most; empty ones do not count."""
    floors, ceilings = [0], [-1]
    for line in reversed(lines):
        floor = line.depth if ceilings[-1] < 0 else min(floors[-1], line.depth)
        floors.append(floor if line.shown else floors[-1])
        ceilings.append(max(ceilings[-1], line.depth) if line.shown else ceilings[-1])
    return floors[-2::-1], ceilings[-2::-1]


def _introduces(lines: Sequence[_Line], at: int, floors: Sequence[int], ceilings: Sequence[int]) -> int:
    """Return how many lines from this one on say who wrote all that stands below them; 0 if they do not."""
    first = lines[at]
    if _FROM.match(first.shown):
        return int(_has_headers(lines, at) and floors[at] >= first.depth)
    for count in (1, 2):
        said = lines[at : at + count]
        if len(said) < count or not _says_who_wrote(" ".join(line.shown for line in said)):
            continue
        floor, ceiling = floors[at + count - 1], ceilings[at + count - 1]
        begins = _depth_above(lines, at) < first.depth <= floor  # some programs quote the line as well
        return count if floor > first.depth or (floor == ceiling == first.depth) or begins else 0
    return 0


def _depth_above(lines: Sequence[_Line], at: int) -> int:
    """Return how deep the nearest filled line above is quoted; for the top of a mail, deeper than any line."""
    above = map(lines.__getitem__, range(at - 1, -1, -1))
    return next((line.depth for line in above if line.shown), _LONGEST_LINE)


def _has_headers(lines: Sequence[_Line], at: int) -> bool:
    """Return whether a line below a sender says what the message is about."""
    return any(_SUBJECT.match(line.shown) for line in lines[at + 1 : at + 1 + _HEADERS])


def _says_who_wrote(said: str) -> bool:
    """Return whether words are such as "On 3 May, Ann wrote:"."""
    if len(said) > _LONGEST_LINE or not said.endswith(":"):
        return False
    return (said.startswith("On ") and said.endswith(" wrote:")) or (said.startswith("Am ") and " schrieb " in said)

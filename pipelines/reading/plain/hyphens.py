"""Words of plain text that were divided at the end of a line, as manual pages have them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

_HYPHEN = "\u2010"
_SOFT_HYPHEN = "\xad"
_FIRST_HALF = re.compile(rf"(?<!\S)\S*[^\W\d_](?=[{_HYPHEN}{_SOFT_HYPHEN}][ \t]*$)")
_SECOND_HALF = re.compile(r"([ \t]*)([^\W\d_]\S*)[ \t]*")
_COMPOUND = re.compile(rf"(?<!\w)\w++{_HYPHEN}\w+")


def with_whole_words(lines: Sequence[str]) -> list[str]:
    """Return the lines with each divided word in the line where it begins; the rest of the next line stays there.

    Only U+2010 and soft hyphens divide a word. A hyphen is kept if the same word has it within a line. A word whose
    second half is a line of its own stays divided if there is text directly below: the empty line would be a gap.
    """
    written = list(lines)
    compounds = frozenset(chain.from_iterable(map(_COMPOUND.findall, lines)))
    for at in range(len(written) - 1):
        first, second = _FIRST_HALF.search(written[at]), _SECOND_HALF.match(written[at + 1])
        if first is None or second is None or not _is_divided(first[0], second[2]):
            continue
        indent, rest = second[1], written[at + 1][second.end() :]
        if not rest and any(line.strip() for line in written[at + 2 : at + 3]):
            continue
        hyphen = _HYPHEN if not compounds.isdisjoint(_COMPOUND.findall(f"{first[0]}{_HYPHEN}{second[2]}")) else ""
        written[at] = f"{written[at][: first.end()]}{hyphen}{second[2]}"
        written[at + 1] = f"{indent}{rest}" if rest else ""
    return written


def _is_divided(first: str, second: str) -> bool:
    """Return whether the second half goes on in small letters, or both halves are in capitals."""
    return second[0].islower() or (first[-1].isupper() and second[:2].isupper())

"""Where sentences begin and end, as character spans of the text they stand in.

A small rule-based segmenter: it keeps offsets, needs no model, and knows the shapes of Markdown (list items, table rows
and headings are sentences of their own). Punkt would load NLTK and its dependencies, about 100 MB, into every server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK_END = re.compile(
    r"""\n[ \t]*\n\s*            # a blank line
      | \n(?=[ \t]*(?:[-*+•‣]\s|\d{1,3}[.)]\s|\#{1,6}\s|\||>))   # before a list item, heading, table row or quote
      | (?<=\|)[ \t]*\n          # after a table row
      | \n(?=[^\n|]{0,200}[ ]\|[ ])     # before a row without edges
      | (?:(?<=\n)|^)\#{1,6}\s[^\n]*\n  # a heading line ends with its line
    """,
    re.VERBOSE,
)
# The lookbehind lets a run of dots be tried once, from its beginning: trying from every dot is quadratic.
_SENTENCE_END = re.compile(r"""(?<![.!?…])[.!?…]++["'”’»)\]*_]*\s+|[。！？]+[」』”’）]*\s*""")
_ABBREVIATION = re.compile(
    r"""(?:^|[\s(\["'“‘])(?:
        mr|mrs|ms|dr|prof|st|jr|vs|et\ al|cf|approx|inc|ltd|corp|sgt|rev|hon|sen|e\.g|i\.e|u\.s|u\.k|u\.n|ph\.d
        |[a-z]                 # a single letter is an initial
    )\.$""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_A_NUMBER = re.compile(
    r"""(?:^|[\s(\["'“‘])(?:no|nos|fig|figs|vol|p|pp|sec|art|ch|eq|ca
        |jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:^|\n)\s*(?:\d{1,3}|[a-z]|[ivx]{1,4})\.$", re.IGNORECASE)
UNPARTED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Characters, as ranges of a pattern, of writing without blanks between words: Chinese, Japanese, Thai and others."""
_WORD = re.compile(rf"[{UNPARTED}]|[^\W{UNPARTED}]+")
_WORDS_ALONE = bytes(byte if chr(byte).isascii() and re.match(r"\w", chr(byte)) else ord(" ") for byte in range(256))
"""A table that leaves letters, digits and underscores of ASCII as they are, and makes all else blanks."""


def word_count(text: str) -> int:
    """Return how many words a text has; where blanks do not part them (Chinese, Japanese, Thai), its characters
    count.
    """
    if text.isascii():  # most are, and this is eight times as quick
        return len(text.encode().translate(_WORDS_ALONE).split())
    return len(_WORD.findall(text))


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return spans ``(start, end)`` of the sentences of ``text[start:end]``, in order, without surrounding white
    space.
    """
    end = len(text) if end is None else end
    spans: list[tuple[int, int]] = []
    for block_start, block_end in _blocks(text, start, end):
        spans.extend(_sentences(text, block_start, block_end))
    return spans


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for match in _BLOCK_END.finditer(text, start, end):
        if match.group().lstrip().startswith("#") and match.start() > position:
            yield position, match.start()
            position = match.start()
        yield position, match.end()
        position = match.end()
    yield position, end


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        if _ends_here(text, position, match):
            yield from _trimmed(text, position, match.end())
            position = match.end()
    yield from _trimmed(text, position, end)


def _ends_here(text: str, start: int, match: re.Match[str]) -> bool:
    if match.group()[0] in "。！？":
        return True
    following = text[match.end() : match.end() + 8]
    if not following or following[0].islower():
        return False
    stop = match.start() + 1
    if match.group()[0] != "." or match.group().startswith(".."):
        return True
    before = text[max(start, stop - 16) : stop]
    if stop - start < 8 and _NUMBERED.search(text[start:stop]):
        return False
    if following[0].isdigit() and _BEFORE_A_NUMBER.search(before):
        return False
    return not _ABBREVIATION.search(before)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end

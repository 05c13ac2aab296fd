"""Questions and answers with labels, "Q: May I swim? A: No.": the question is a heading, and the labels go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from pipelines.reading.questions.parts import ASKS, LONGEST, Part, rewritten
from pipelines.types import ParsedDocument

LABEL = re.compile(
    r"(?:^|(?<=\? ))[ \t]*(?:(?P<question>Q|(?i:question))|A|(?i:answer))"
    r"[ ]?(?P<number>\d{0,3})(?P<sign>[.:])\s+(?=\S)",
    re.MULTILINE,
)
_STARTS = ("q", "a")
_CHOICES = {".": re.compile(r"(?<!\S)B[.)]\s"), ":": re.compile(r"(?<!\S)B:\s")}
"""The second of several answers to choose from."""
_FEWEST = 2
_NEAR = 1000
"""Characters behind which no other answer to choose from is looked for."""


@dataclass(frozen=True, slots=True)
class _Label(Part):
    """What stands after a label."""

    number: str
    sign: str


def with_questions(document: ParsedDocument) -> ParsedDocument:
    """Return a document whose labelled questions are headings a level below their section, without the labels.

    There are at least two of them, each right above its answer; the labels of a single one have colons.
    """
    parts = list(_parts(document))
    pairs = [(asked, said) for asked, said in pairwise(parts) if _is_pair(document, asked, said)]
    if len(pairs) < _FEWEST and not all(asked.sign == said.sign == ":" for asked, said in pairs):
        return document
    return rewritten(document, list(chain.from_iterable(pairs))) if pairs else document


def _parts(document: ParsedDocument) -> Iterator[_Label]:
    for index, block in enumerate(document.blocks):
        start = block.span.start
        is_text = block.kind == "heading" or (block.kind == "paragraph" and block.level == 0)
        if not is_text or document.text[start : start + 1].lower() not in _STARTS:
            continue
        words = document.text[start : block.span.end]
        labels = list(LABEL.finditer(words))
        if not labels or labels[0].start():
            continue
        before = start
        for label, end in zip(labels, [*(each.start() for each in labels[1:]), len(words)], strict=True):
            begins = start + label.end()
            last = begins + len(words[label.end() : end].rstrip())
            asks = label["question"] is not None
            yield _Label(index, before, begins, last, asks, label["number"], label["sign"])
            before = last


def _is_pair(document: ParsedDocument, asked: _Label, said: _Label) -> bool:
    """Return whether a question stands right above its answer, and not above several to choose from."""
    if not asked.asks or said.asks or said.block > asked.block + 1 or said.number not in ("", asked.number):
        return False
    if asked.end - asked.start > LONGEST or document.blocks[said.block].kind != "paragraph":
        return False
    asks = ASKS.search(document.text[asked.start : asked.end]) is not None
    return asks and said.end > said.start and not _is_choice(document, said)


def _is_choice(document: ParsedDocument, said: _Label) -> bool:
    behind = document.blocks[min(said.block + 1, len(document.blocks) - 1)]
    until = min(behind.span.end, said.start + _NEAR)
    return _CHOICES[said.sign].search(document.text, said.start, until) is not None

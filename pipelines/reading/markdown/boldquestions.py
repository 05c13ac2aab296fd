"""Questions in bold above their answers, as lists of questions are often written: they are headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from markdown_it.token import Token

from pipelines.reading.markdown.tree import Node

_DEEPEST = 6
_FEWEST = 2
_LONGEST = 200  # characters
_BREAKS = ("softbreak", "hardbreak")
_BLANK = ("text", *_BREAKS)


def with_bold_questions(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the blocks of a text, with paragraphs that are a question in bold as headings a level below their section.

    There are at least two of them, none at the end of the text or above another one; the answer may stand on the next
    line of the same paragraph.
    """
    apart = [part for node in nodes for part in _lines_apart(node)]
    asks = [_is_question(node) for node in apart]
    leads = [asked and not follows for asked, follows in zip(asks, [*asks[1:], True], strict=False)]
    if sum(leads) < _FEWEST:
        yield from nodes
        return
    level = 0
    for node, is_title in zip(apart, leads, strict=True):
        if node.kind == "heading":
            level = int(node.token.tag[1])
        yield replace(node, kind="heading", token=_opening(node, min(level + 1, _DEEPEST))) if is_title else node


def _lines_apart(node: Node) -> list[Node]:
    """Return a block, a paragraph with its questions in bold and the lines below them apart."""
    lines = _lines(node)
    asks = [_asks(line) for line in lines]
    starts = [at for at, (above, here) in enumerate(pairwise(asks), start=1) if above != here]
    return [_part(node, lines, start, end) for start, end in pairwise([0, *starts, len(lines)])] if starts else [node]


def _lines(node: Node) -> list[list[Token]]:
    """Return the lines of a paragraph, each with its break; of another block one that is empty."""
    lines: list[list[Token]] = [[]]
    for token in (node.words.children or []) if node.kind == "paragraph" and node.words is not None else []:
        lines[-1].append(token)
        if token.type in _BREAKS:
            lines.append([])
    return lines


def _part(node: Node, lines: Sequence[Sequence[Token]], start: int, end: int) -> Node:
    """Return some lines of a paragraph as one of their own."""
    if node.words is None:
        return node
    tokens = [token for line in lines[start:end] for token in line]
    if tokens[-1].type in _BREAKS:
        del tokens[-1]
    place = [node.start + start, node.start + end]
    words = node.words.copy(children=tokens, content="".join(token.content for token in tokens), map=place)
    return replace(node, token=node.token.copy(map=place), words=words)


def _is_question(node: Node) -> bool:
    """Return whether a block is a paragraph that is bold from its beginning to its end, and a question."""
    return _asks((node.words.children or []) if node.kind == "paragraph" and node.words is not None else [])


def _asks(tokens: Sequence[Token]) -> bool:
    """Return whether words are bold from their beginning to their end, and a question."""
    shown = [token for token in tokens if token.type not in _BLANK or token.content.strip()]
    if len(shown) < 3 or shown[0].type != "strong_open" or shown[-1].type != "strong_close":
        return False
    text = "".join(token.content for token in shown).strip()
    bold = sum(token.type == "strong_open" for token in shown)
    return bold == 1 and text.endswith("?") and len(text) <= _LONGEST


def _opening(node: Node, level: int) -> Token:
    return Token("heading_open", f"h{level}", 1, map=node.token.map)

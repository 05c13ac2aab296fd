"""Questions in bold above their answers, as lists of questions are often written: they are headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from pipelines.reading.markdown.tree import Node

_DEEPEST = 6
_FEWEST = 2
_LONGEST = 200  # characters
_BLANK = ("text", "softbreak", "hardbreak")


def with_bold_questions(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the blocks of a text, with paragraphs that are a question in bold as headings a level below their section.

    There are at least two of them, none at the end of the text or above another one.
    """
    asks = [_is_question(node) for node in nodes]
    leads = [asked and not follows for asked, follows in zip(asks, [*asks[1:], True], strict=False)]
    has_several = sum(leads) >= _FEWEST
    level = 0
    for node, is_title in zip(nodes, leads, strict=True):
        if node.kind == "heading":
            level = int(node.token.tag[1])
        if is_title and has_several:
            yield replace(node, kind="heading", token=_opening(node, min(level + 1, _DEEPEST)))
        else:
            yield node


def _is_question(node: Node) -> bool:
    """Return whether a block is a paragraph that is bold from its beginning to its end, and a question."""
    inside = (node.words.children or []) if node.kind == "paragraph" and node.words is not None else []
    shown = [token for token in inside if token.type not in _BLANK or token.content.strip()]
    if len(shown) < 3 or shown[0].type != "strong_open" or shown[-1].type != "strong_close":
        return False
    text = "".join(token.content for token in shown).strip()
    bold = sum(token.type == "strong_open" for token in shown)
    return bold == 1 and text.endswith("?") and len(text) <= _LONGEST


def _opening(node: Node, level: int) -> Token:
    return Token("heading_open", f"h{level}", 1, map=node.token.map)

"""Short footnotes of Markdown, put where they are referred to: an exception belongs to its rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from pipelines.reading.markdown.inline import shown
from pipelines.reading.markdown.tree import Node

_MOST_WORDS = 30
_LONGEST = 300  # characters
_MOST_REFERENCES = 20
"""A note that a file refers to more often stays where it is, so that it does not grow without end."""


def with_short_footnotes(nodes: Sequence[Node], *, jsx: bool = False) -> list[Node]:
    """Return the blocks of a text with short footnotes in parentheses at their references.

    Others stay where they are, also those that only headings or other footnotes refer to.
    """
    notes = dict(reversed([(_label(node.token), node) for node in _walked(nodes) if _is_note(node)]))
    if not notes:
        return list(nodes)
    references: dict[str, list[tuple[Token, str]]] = {}
    for node in _outside_notes(nodes):
        for token, before in _references(node):
            references.setdefault(_label(token), []).append((token, before))
    moved: set[int] = set()
    for label, found in references.items():
        text = _text(notes[label], jsx=jsx) if label in notes and len(found) <= _MOST_REFERENCES else ""
        if text:
            moved.add(id(notes[label].token))
            for token, before in found:
                token.content = f"({text})" if not before.strip() else f" ({text})"
    return _without(nodes, moved)


def _walked(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _walked(node.children)


def _outside_notes(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        if not _is_note(node):
            yield node
            yield from _outside_notes(node.children)


def _is_note(node: Node) -> bool:
    return node.kind == "footnote_reference"


def _label(token: Token) -> str:
    return str(token.meta.get("label", ""))


def _references(node: Node) -> Iterator[tuple[Token, str]]:
    """Yield the references in the words of a node, each with the character before it; a title keeps its words."""
    before = ""
    for token in (node.words.children or []) if node.words is not None and node.kind != "heading" else []:
        if token.type == "footnote_ref":
            yield token, before
        before = token.content[-1:] or ("" if token.type.endswith("break") else before)


def _text(note: Node, *, jsx: bool) -> str:
    """Return the words of a short note; empty where it is long, or is not one paragraph."""
    first, *others = note.children or [note]
    words = first.words if first.kind == "paragraph" and not others else None
    text = " ".join(shown(words.children or [], jsx=jsx).split()) if words is not None else ""
    is_short = len(text) <= _LONGEST and len(text.split()) <= _MOST_WORDS
    return text.removesuffix(".") if is_short else ""


def _without(nodes: Sequence[Node], moved: set[int]) -> list[Node]:
    kept = (node for node in nodes if id(node.token) not in moved)
    return [replace(node, children=_without(node.children, moved)) for node in kept]

"""What the inline nodes of docutils' tree show: references as their words, substitutions as what they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docutils import nodes

_LITERAL = re.compile(r"``([^`]{1,200})``")
_DEEPEST = 8
_LONGEST_SUBSTITUTION = 500
_MOST_SUBSTITUTED = 200_000
"""Characters that all substitutions of a document may add, so that a few names cannot grow without end."""


class Words:
    """The words of a document's nodes."""

    def __init__(self, document: nodes.document) -> None:
        self._document = document
        self._titles = _titles_by_label(document)
        self._substituted = 0

    def of(self, node: nodes.Node) -> str:
        """Return the words of a node on one line."""
        return " ".join(self.raw(node).split())

    def raw(self, node: nodes.Node, depth: int = 0) -> str:
        """Return the words of a node with its white space; ``depth`` counts the substitutions around it."""
        match node:
            case nodes.Text():
                is_marked = isinstance(node.parent, nodes.emphasis | nodes.strong)
                # Markup does not nest, but people write it so.
                return _LITERAL.sub(r"\1", node.astext()) if is_marked else node.astext()
            case nodes.footnote_reference() | nodes.citation_reference():
                return f"[{node.astext()}]"
            case nodes.substitution_reference():
                return self._substitution(node, depth)
            case nodes.image():
                return str(node.get("alt", ""))
            case nodes.inline() if node.get("label") in self._titles:
                return self._titles[node["label"]]
        return "".join(self.raw(child, depth) for child in node.children)

    def _substitution(self, node: nodes.substitution_reference, depth: int) -> str:
        name = node.astext()
        names = self._document.substitution_names
        key = name if name in self._document.substitution_defs else names.get(nodes.fully_normalize_name(name))
        definition = self._document.substitution_defs.get(key) if key else None
        if definition is None or depth >= _DEEPEST or self._substituted > _MOST_SUBSTITUTED:
            return name
        self._substituted += len(name)
        words = "".join(self.raw(child, depth + 1) for child in definition.children)[:_LONGEST_SUBSTITUTION]
        self._substituted += len(words)
        return words


def _titles_by_label(document: nodes.document) -> Mapping[str, str]:
    """Return the titles of the sections, tables and figures that labels stand right before."""
    titles: dict[str, str] = {}
    waiting: list[str] = []
    for node in document.findall():
        match node:
            case nodes.target():
                waiting += node["names"]
            case nodes.title() | nodes.caption():
                titles.update(dict.fromkeys(waiting, " ".join(node.astext().split())))
                waiting = []
            case nodes.comment() | nodes.section() | nodes.table() | nodes.compound() | nodes.Text():
                continue
            case _:
                waiting = []
    return titles

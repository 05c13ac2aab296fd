"""Definitions that are written without the syntax for them: a name by itself, and what is said of it indented below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docutils import nodes

_LONGEST_TERM = 80
_BETWEEN = re.compile(r"[\s,/|]*(?:\b(?:and|or)\b\s*)?")


def with_definitions(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; a paragraph of names followed by a quote is yielded as a definition list of one item."""
    held: nodes.paragraph | None = None
    for node in children:
        if held is not None and isinstance(node, nodes.block_quote) and _tells(node):
            yield _definition(held, node)
            held = None
            continue
        if held is not None:
            yield held
        held = node if isinstance(node, nodes.paragraph) and _is_names(node) else None
        if held is None:
            yield node
    if held is not None:
        yield held


def _is_names(paragraph: nodes.paragraph) -> bool:
    """Return whether a paragraph is nothing but names: code or bold words, and what stands between them."""
    named = [child for child in paragraph.children if not isinstance(child, nodes.Text)]
    between = [child for child in paragraph.children if isinstance(child, nodes.Text)]
    return (
        bool(named)
        and all(isinstance(child, nodes.literal | nodes.strong) for child in named)
        and all(_BETWEEN.fullmatch(child.astext()) for child in between)
        and len(paragraph.astext()) <= _LONGEST_TERM
    )


def _tells(quote: nodes.block_quote) -> bool:
    """Return whether a quote begins with prose and is said by nobody."""
    said_by = any(isinstance(child, nodes.attribution) for child in quote.children)
    return not said_by and isinstance(quote.children[0], nodes.paragraph)


def _definition(names: nodes.paragraph, quote: nodes.block_quote) -> nodes.definition_list:
    term = nodes.term(names.rawsource, "", *names.children)
    term.line = names.line
    body = nodes.definition("", *quote.children)
    return nodes.definition_list("", nodes.definition_list_item("", term, body))

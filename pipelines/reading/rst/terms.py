"""Definitions that are written without the syntax for them: a name by itself, and what is said of it indented below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes

_LONGEST_TERM = 80
_MOST_WORDS = 5
_ENDS = (".", "!", "?", ":", ";", ",")


def with_definitions(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; a paragraph that is a name, followed by a quote, is yielded as a definition list of one item."""
    held: nodes.paragraph | None = None
    for node in children:
        if held is not None and isinstance(node, nodes.block_quote) and _tells(node):
            yield _definition(held, node)
            held = None
            continue
        if held is not None:
            yield held
        held = node if isinstance(node, nodes.paragraph) and _is_name(node) else None
        if held is None:
            yield node
    if held is not None:
        yield held


def _is_name(paragraph: nodes.paragraph) -> bool:
    """Return whether a paragraph is a few words that are no sentence, or nothing but code or bold words."""
    text = paragraph.astext().strip()
    if len(text) > _LONGEST_TERM or text.endswith(_ENDS):
        return False
    plain = "".join(
        child.astext() for child in paragraph.children if not isinstance(child, nodes.literal | nodes.strong)
    )
    return len(text.split()) <= _MOST_WORDS or not any(map(str.isalnum, plain))


def _tells(quote: nodes.block_quote) -> bool:
    """Return whether a quote begins with prose and is said by nobody."""
    said_by = any(isinstance(child, nodes.attribution) for child in quote.children)
    return not said_by and isinstance(quote.children[0], nodes.paragraph)


def _definition(names: nodes.paragraph, quote: nodes.block_quote) -> nodes.definition_list:
    term = nodes.term(names.rawsource, "", *names.children)
    term.line = names.line
    body = nodes.definition("", *quote.children)
    return nodes.definition_list("", nodes.definition_list_item("", term, body))

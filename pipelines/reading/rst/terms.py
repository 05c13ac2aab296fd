"""Definitions that are written without the syntax for them, and sentences that happen to have it.

A definition may be a name by itself, and what is said of it indented below. A sentence may be wrapped with an indent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from docutils import nodes

_LONGEST_TERM = 80
_MOST_WORDS = 5
_PARTS = 2
"""A term and its definition, without a classifier."""
_LEAST_WORDS = 3
"""Words of a sentence that goes on below, at least: "and" may be a term."""
_SENTENCE_WORDS = 8
_NEVER_LAST = frozenset({"a", "an", "and", "nor", "or", "the"})
"""Words that no name ends with."""
_SELDOM_LAST = frozenset({
    "are", "as", "at", "between", "but", "by", "for", "from", "if", "in", "into", "is", "least", "most", "of", "on",
    "per", "than", "that", "their", "this", "to", "until", "which", "with",
})  # fmt: skip
"""Words that no name ends with if small letters follow."""
_ENDS = (".", "!", "?", ":", ";", ",")


def with_definitions(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; a paragraph that is a name, followed by a quote, is yielded as a definition list of one item.

    An item whose term is the beginning of a sentence is yielded as a paragraph.
    """
    held: nodes.paragraph | None = None
    for node in with_sentences(children):
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


def with_sentences(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; an item of a definition list that is one sentence is yielded as a paragraph."""
    for node in children:
        if not isinstance(node, nodes.definition_list) or node.get("describes"):
            yield node
            continue
        for goes_on, items in groupby(node.children, _goes_on):
            if goes_on:
                yield from chain.from_iterable(map(_joined, items))
            else:
                yield nodes.definition_list("", *items)


def _goes_on(item: nodes.Node) -> bool:
    """Return whether a term and what stands below it are one sentence: the line was wrapped with an indent."""
    term, definition = item.children[0], item.children[-1]
    first = definition.children[0] if definition.children else None
    if len(item.children) != _PARTS or not isinstance(first, nodes.paragraph):
        return False
    words, below = term.astext().split(), first.astext().strip()
    if len(words) < _LEAST_WORDS or not below:
        return False
    is_open = words[-1][-1] == "," or words[-1] in _SELDOM_LAST
    is_long = len(words) >= _SENTENCE_WORDS and words[-1][-1].isalnum() and below[0].islower()
    return words[-1] in _NEVER_LAST or is_long or (is_open and not below[0].isupper())


def _joined(item: nodes.Node) -> list[nodes.Node]:
    """Return a term and the paragraph below it as one, and what follows."""
    term, (first, *rest) = item.children[0], item.children[-1].children
    sentence = nodes.paragraph("", "", *term.children, nodes.Text(" "), *first.children)
    sentence.line = term.line
    return [sentence, *rest]


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

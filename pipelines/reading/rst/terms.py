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
_LISTS = (nodes.bullet_list, nodes.enumerated_list)
_ENDS = (".", "!", "?", ":", ";", ",")
_LABELS = frozenset({"q", "a", "question", "answer"})
"""Terms of a list of questions and their answers."""


def with_definitions(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; paragraphs that are names, each followed by a quote, are yielded as one definition list.

    An item whose term is the beginning of a sentence, or leads into a list, is yielded as a paragraph.
    """
    held: nodes.paragraph | None = None
    defined: nodes.definition_list | None = None
    for node in with_sentences(children):
        if held is not None and isinstance(node, nodes.block_quote) and _tells(node):
            defined = nodes.definition_list() if defined is None else defined
            defined += _definition(held, node)
            held = None
            continue
        name = node if isinstance(node, nodes.paragraph) and _is_name(node) else None
        if defined is not None and (held is not None or name is None):
            yield defined
            defined = None
        if held is not None:
            yield held
        held = name
        if held is None:
            yield node
    yield from (one for one in (defined, held) if one is not None)


def with_sentences(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes; an item of a definition list that is one sentence, that leads into a list, or that is a question or
    an answer behind its label, is yielded as a paragraph.

    A quote below a list belongs to its last item: it is text that was indented less than the words of the item.
    """
    for node in _with_whole_items(children):
        if not isinstance(node, nodes.definition_list) or node.get("describes"):
            yield node
            continue
        for is_prose, items in groupby(node.children, lambda item: _goes_on(item) or _leads(item)):
            if is_prose:
                yield from chain.from_iterable(map(_joined, items))
            else:
                yield nodes.definition_list("", *items)


def _with_whole_items(children: Iterable[nodes.Node]) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    for node in children:
        last = found[-1] if found else None
        is_quote = isinstance(node, nodes.block_quote) and not _is_said_by_somebody(node)
        item = last[-1] if is_quote and isinstance(last, _LISTS) else None
        if isinstance(item, nodes.Element):
            item.extend(node.children)
        else:
            found.append(node)
    return found


def _goes_on(item: nodes.Node) -> bool:
    """Return whether a term and what stands below it are one sentence, or a label and its text: the line was wrapped
    with an indent.
    """
    term, definition = item.children[0], item.children[-1]
    first = definition.children[0] if definition.children else None
    if len(item.children) != _PARTS or not isinstance(first, nodes.paragraph):
        return False
    words, below = term.astext().split(), first.astext().strip()
    if _is_label(term):
        return True
    if len(words) < _LEAST_WORDS or not below:
        return False
    is_open = words[-1][-1] == "," or words[-1] in _SELDOM_LAST
    is_long = len(words) >= _SENTENCE_WORDS and words[-1][-1].isalnum()
    wraps = is_long and (below[0].islower() or words[-1] in _SELDOM_LAST)
    return words[-1] in _NEVER_LAST or wraps or (is_open and not below[0].isupper())


def _leads(item: nodes.Node) -> bool:
    """Return whether a term leads into a list below it: with a colon, or as the words of an item around that list."""
    term, definition = item.children[0], item.children[-1]
    if len(item.children) != _PARTS or not definition.children or not isinstance(definition.children[0], _LISTS):
        return False
    around = item.parent.parent
    return term.astext().rstrip().endswith(":") or (isinstance(around, nodes.list_item) and item.parent in around[:1])


def _is_label(term: nodes.Node) -> bool:
    return term.astext().strip().casefold() in _LABELS


def _joined(item: nodes.Node) -> list[nodes.Node]:
    """Return a term and the paragraph below it as one, and what follows."""
    term, below = item.children[0], list(item.children[-1].children)
    sentence = nodes.paragraph("", "", *term.children)
    if isinstance(below[0], nodes.paragraph):
        sentence += [nodes.Text(": " if _is_label(term) else " "), *below.pop(0).children]
    sentence.line = term.line
    return [sentence, *below]


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
    return isinstance(quote.children[0], nodes.paragraph) and not _is_said_by_somebody(quote)


def _is_said_by_somebody(quote: nodes.block_quote) -> bool:
    return any(isinstance(child, nodes.attribution) for child in quote.children)


def _definition(names: nodes.paragraph, quote: nodes.block_quote) -> nodes.definition_list_item:
    term = nodes.term(names.rawsource, "", *names.children)
    term.line = names.line
    return nodes.definition_list_item("", term, nodes.definition("", *quote.children))

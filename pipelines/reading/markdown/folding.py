"""Parts of Markdown that a click shows: the names of ``<details>`` are headings of what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape

from markdown_it.token import Token

from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.markdown.inline import without_unknown_tags
from pipelines.reading.markdown.tree import Node

_FOLD = re.compile(
    r"((?:\s*</details>)*)\s*<details[^<>]*>\s*<summary[^<>]*>(.{1,300}?)</summary>(?:\s|<br ?/?>)*",
    re.DOTALL | re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:\s*</details>)+\s*", re.IGNORECASE)
_TITLE_TAG = re.compile(r"<h[1-6]", re.IGNORECASE)
_SAYS_NOTHING = re.compile(r"\W*(?:(?:click )?(?:here )?to expand|expand|details|(?:show|see) more)\W*", re.IGNORECASE)
_DEEPEST = 6


def with_fold_titles(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the blocks of a text, with the names of folded parts as headings a level below their section.

    A name such as "Click to expand" is left out. Others stay as they are where no heading is above, where a part holds
    a heading, or where more text of the section follows, which would stand below the wrong heading.
    """
    titled, level = _titled(nodes), 0
    for index, node in enumerate(nodes):
        fold = _fold(node)
        if node.kind == "heading":
            level = int(node.token.tag[1])
        title = _shown(fold[2]) if fold else ""
        if fold is None or not title:
            yield node
        elif _SAYS_NOTHING.fullmatch(title):
            continue
        else:
            yield _heading(node, title, level + 1) if index in titled and 0 < level < _DEEPEST else node


def _titled(nodes: Sequence[Node]) -> frozenset[int]:
    """Return the places of folded parts that hold no heading, with only other such parts up to the next heading."""
    found: set[int] = set()
    ends_section, inside = True, False
    for index in reversed(range(len(nodes))):
        node, fold = nodes[index], _fold(nodes[index])
        if node.kind == "heading":
            ends_section, inside = True, False
        elif fold is not None:
            found |= {index} if inside else set()
            ends_section, inside = inside, inside and bool(fold[1])
        elif _is_html(node) and _CLOSING.fullmatch(node.token.content):
            inside = ends_section
        elif _is_blank(node):
            continue
        elif not inside or (_is_html(node) and "details" in node.token.content):
            ends_section, inside = False, False
    return frozenset(found)


def _fold(node: Node) -> re.Match[str] | None:
    """Return what a block is that begins a folded part and says its name, and nothing else."""
    fold = _FOLD.fullmatch(node.token.content) if _is_html(node) else None
    return None if fold is None or _TITLE_TAG.search(fold[2]) else fold


def _is_blank(node: Node) -> bool:
    """Return whether a block is a line, or a space that is written as ``&nbsp;``."""
    return node.kind == "hr" or (node.words is not None and not unescape(node.words.content).strip())


def _is_html(node: Node) -> bool:
    return node.kind == "html_block"


def _shown(name: str) -> str:
    return " ".join(render_html(parse_html(without_unknown_tags(name))).text.split())


def _heading(node: Node, title: str, level: int) -> Node:
    words = Token("inline", "", 0, content=title, children=[Token("text", "", 0, content=title)])
    token = Token("heading_open", f"h{level}", 1, map=node.token.map)
    return replace(node, kind="heading", token=token, words=words)

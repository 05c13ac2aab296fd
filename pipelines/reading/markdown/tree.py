"""Markdown parsed into a tree of blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from types import MappingProxyType

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_block
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar, math_inline_dollar
from mdit_py_plugins.footnote import footnote_plugin

from pipelines.reading.formulas import is_formula
from pipelines.reading.markdown.extensions import LITERAL, add_extensions
from pipelines.reading.markdown.inline import bare_reference, windows_path
from pipelines.reading.markdown.substitutions import add_substitutions, environment

_BlockRule = Callable[[StateBlock, int, int, bool], bool]
_InlineRule = Callable[[StateInline, bool], bool]
_DEEPEST = 100
_MANY_BRACKETS = 20_000
_LONGEST_EQUATION = 100
"""Lines within which the end of an equation is looked for."""
_ENDING = 3
"""Characters behind a formula that tell whether a word goes on there; "$n$th" does not."""
# The label of a link, which may stand in that of another: a picture that is a link.
_LABEL = re.compile(r"\[[^\[\]]*\][(\[]")
NO_VALUES: Mapping[str, str] = MappingProxyType({})
# The signs of quotes and lists around a line.
_NESTING = re.compile(r"^(?:[ \t>*+-]|\d{1,9}[.)][ \t])+", re.MULTILINE)


@dataclass(slots=True)
class Node:
    """A block of Markdown: its kind as markdown-it calls it, its token, and the blocks inside it.

    ``words`` are the tokens of its text, of a paragraph, a heading, a cell or a term.
    """

    kind: str
    token: Token
    children: list[Node] = field(default_factory=list)
    words: Token | None = None

    @property
    def start(self) -> int:
        """The line where it begins, from 0."""
        return self.token.map[0] if self.token.map else 0

    @property
    def end(self) -> int:
        """The line behind its last one, from 0."""
        return self.token.map[1] if self.token.map else 0


def _bounded(rule: _BlockRule) -> _BlockRule:
    """Return a rule for equations that looks for their end in some lines, and not in the whole file.

    Where it is asked only whether an equation begins, below a paragraph, it leaves none: the rule for dollars does.
    """

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        tokens, line = len(state.tokens), state.line
        found = rule(state, start, min(end, start + _LONGEST_EQUATION), silent)
        if silent:
            del state.tokens[tokens:]
            state.line = line
        return found

    return bounded


def _checked(rule: _InlineRule) -> _InlineRule:
    """Return a rule for formulas between dollars that leaves prose, prices and variables to the other rules."""

    def checked(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if not rule(state, True):
            return False
        end, state.pos = state.pos, start
        between = unescape(state.src[start:end].strip("$"))
        before, behind = state.src[max(start - 1, 0) : start], state.src[end : end + _ENDING]
        return is_formula(between, before, behind) and rule(state, silent)

    return checked


def _add_formulas(parser: MarkdownIt) -> None:
    """Teach a parser LaTeX between dollars, and equations between ``\\begin`` and ``\\end``."""
    dollars = math_block_dollar(allow_labels=False)
    for name, rule in (("amsmath", amsmath_block), ("math_block", dollars)):
        ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
        parser.block.ruler.before("blockquote", name, _bounded(rule), ends)
    inside = math_inline_dollar(allow_space=False, allow_digits=True, allow_double=True)
    parser.inline.ruler.before("escape", "math_inline", _checked(inside))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin).use(footnote_plugin)
    _add_formulas(parser)
    parser.inline.ruler.before("escape", "windows_path", windows_path)
    parser.inline.ruler.after("image", "bare_reference", bare_reference)
    add_extensions(parser)
    add_substitutions(parser)
    return parser.disable(["footnote_tail", "footnote_inline"])


_MARKDOWN = _parser()
_WITHOUT_LINKS = _parser().disable(["link", "image", "footnote_ref", "bare_reference"])
_MDX = _parser().disable("code")


def parse(
    markdown: str, *, jsx: bool = False, literal: bool = False, values: Mapping[str, str] = NO_VALUES
) -> list[Node]:
    """Return the blocks of a Markdown text.

    Args:
        markdown: The text.
        jsx: It is MDX, where indented lines are no code.
        literal: It may be no Markdown, and the signs of `extensions` are kept.
        values: What MyST's substitutions stand for, by name.
    """
    parser = _MDX if jsx else _MARKDOWN
    if _has_loose_brackets(markdown):
        parser = _WITHOUT_LINKS
    known = {**environment(parser, values), LITERAL: literal}
    tokens = parser.parse(markdown, {**known})
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        tokens = parser.parse(_NESTING.sub("", markdown), {**known})  # what lies deeper was left out
    return _tree(tokens)


def _has_loose_brackets(markdown: str) -> bool:
    """Return whether there are so many brackets of no link that to try each for one would take minutes."""
    count = markdown.count("[")
    return count > _MANY_BRACKETS and len(_LABEL.findall(markdown)) * 10 < count


def _tree(tokens: Sequence[Token]) -> list[Node]:
    root = Node("root", Token("root", "", 0))
    open_nodes = [root]
    for token in tokens:
        if token.type == "inline":
            open_nodes[-1].words = token
        elif token.nesting < 0:
            open_nodes.pop()
        else:
            node = Node(token.type.removesuffix("_open"), token)
            open_nodes[-1].children.append(node)
            if token.nesting > 0:
                open_nodes.append(node)
    return root.children

"""A private docutils parser: Sphinx's roles and directives without Sphinx.

docutils looks roles and directives up in registries that the whole process shares. The states and the inliner here
look nothing up there and register nothing, so that no other user of docutils is affected. No directive reads a file,
no raw markup passes, and nothing is reported or printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states, tableparser
from docutils.transforms.references import Footnotes
from docutils.utils import new_document, unescape

from pipelines.reading.rst import directives, roles
from pipelines.reading.rst.calls import Call
from pipelines.reading.rst.overflowing import with_wide_columns
from pipelines.reading.rst_signs import has_preamble

_SILENT = 5
LONGEST_LINE = 100_000
"""Characters of a line that is parsed: docutils' expressions are not made for longer ones."""
_LONGEST_TEXT = 4000
_LONGEST_WORD = 500
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD}}}")
_LONGEST_TARGET = 50
_MOST_STEPS = 120_000
_LINES_A_STEP = 50
_SETTINGS = {
    "report_level": _SILENT,
    "halt_level": _SILENT,
    "warning_stream": False,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "syntax_highlight": "none",
    "line_length_limit": LONGEST_LINE,
}
_ERROR = 3
_RULE = re.compile(r"[\s!-/:-@\[-`{-~]*$")
_TABLE_RULE = re.compile(r"=[ =]*|-[ -]*")


def parse(text: str) -> nodes.document:
    """Return the tree of a text; labels of footnotes are numbers, other references are not resolved."""
    settings = get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    document = new_document("", settings)
    parser = Parser(rfc2822=has_preamble(text), inliner=_Inliner())
    parser.state_classes = _STATES
    parser.parse(text, document)
    Footnotes(document).apply()
    for element in list(document.findall(nodes.Element)):
        if any(isinstance(child, nodes.system_message) for child in element.children):
            element.children = [kept for child in element.children for kept in _without_message(child, element)]
    return document


def _without_message(node: nodes.Node, parent: nodes.Element) -> list[nodes.Node]:
    """Return a node, or instead of a message of docutils the text that it could not make anything of."""
    if not isinstance(node, nodes.system_message):
        return [node]
    lost = node.next_node(nodes.literal_block)
    if lost is None or node["level"] < _ERROR or lost.astext().startswith(".. "):
        return []
    lines = [line.strip(" |") for line in lost.astext().splitlines() if not _RULE.match(line)]
    block = nodes.line_block("", *(nodes.line("", "", nodes.Text(line)) for line in lines))
    block.parent = parent
    return [block]


class _Inliner(states.Inliner):
    """Roles become their words, and addresses stay words."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden_roles: set[str] = set()
        self._steps = 0

    def count(self, steps: int = 1) -> None:
        """Count steps of the parser; give up on a text that takes too many."""
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise states.ParserError("too many constructs")

    def init_customizations(self, settings: Any) -> None:
        """Take docutils' patterns; it builds them from the names in its own class, not in subclasses."""
        model = states.Inliner()
        model.init_customizations(settings)
        vars(self).update(vars(model))

    def parse(self, text: str, lineno: int, memo: Any, parent: nodes.Element) -> tuple[list[Any], list[Any]]:
        """Return the nodes of a text; a very long one in parts, for the time grows with the square of its length."""
        found: list[nodes.Node] = []
        for part in _parts(text):
            self.count()
            found += super().parse(part, lineno, memo, parent)[0]
        return found, []

    def problematic(self, text: str, rawsource: str, message: nodes.system_message) -> nodes.problematic:
        """Return markup without an end as its text, without a link to a message."""
        self.count()
        return nodes.problematic(rawsource, text)

    def interpreted(self, rawsource: str, text: str, role: str, lineno: int) -> tuple[list[Any], list[Any]]:
        """Return the words of a role; those of a label wait until all titles are known."""
        plain = unescape(text, restore_backslashes=roles.last_part(role) == "math")
        if not role:
            is_reference = plain.startswith("~") and len(plain.split()) == 1
            return [nodes.inline(rawsource, roles.words("any", plain) if is_reference else plain)], []
        if role.lower() in self.hidden_roles:
            return [], []
        label = roles.label_of(role, plain)
        if label is not None:
            return [nodes.inline(rawsource, roles.words(role, plain), label=nodes.fully_normalize_name(label))], []
        return [nodes.inline(rawsource, roles.words(role, plain))], []

    def implicit_inline(self, text: str, lineno: int) -> list[nodes.Text]:
        """Return the text: addresses need no links, and docutils finds each one a call deeper."""
        return [nodes.Text(text)] if text else []


def _parts(text: str) -> Iterator[str]:
    start = 0
    longest = _LONGEST_WORD if _LONG_WORD.search(text) else _LONGEST_TEXT
    while len(text) - start > longest:
        end = start + longest
        cut = max(text.rfind("\n", start, end), text.rfind(" ", start, end))
        end = cut + 1 if cut > start else end
        yield text[start:end]
        start = end
    yield text[start:]


class _State(states.RSTState):
    """What differs from docutils in every state of the parser."""

    inliner: _Inliner

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def runtime_init(self) -> None:
        """Share idle state machines within one document; docutils shares them in the process."""
        super().runtime_init()
        if not hasattr(self.memo, "idle_state_machines"):
            self.memo.idle_state_machines = []
        self.nested_sm_cache = self.memo.idle_state_machines

    def nested_parse(self, *args: Any, **kwargs: Any) -> int:
        """Parse what is inside a block, as one step."""
        self.inliner.count()
        return super().nested_parse(*args, **kwargs)

    def nested_list_parse(self, *args: Any, **kwargs: Any) -> Any:
        """Parse what follows the first item of a list, as one step."""
        self.inliner.count()
        return super().nested_list_parse(*args, **kwargs)

    def section(self, title: str, source: Any, style: Any, lineno: int, messages: Any) -> None:
        """Begin a section and note the line of its title."""
        super().section(title, source, style, lineno, messages)
        heading = self.parent.next_node(nodes.title) if isinstance(self.parent, nodes.section) else None
        if heading is not None:
            heading.line = lineno

    def check_subsection(self, source: Any, style: Any, lineno: int) -> bool:
        """Allow titles that skip a level; docutils drops them."""
        styles = self.memo.title_styles
        level = styles.index(style) + 1 if style in styles else len(styles) + 1
        if level > len(self.parent.section_hierarchy()) + 1:
            return True
        return bool(super().check_subsection(source, style, lineno))


class _Body(_State, states.Body):
    """What differs from docutils where blocks begin."""

    def directive(self, match: re.Match[str], **presets: Any) -> tuple[list[nodes.Node], bool]:
        """Return what a directive shows; an unknown one shows its content."""
        machine: Any = self.state_machine
        lineno = machine.abs_line_number()
        lines, _, offset, blank_finish = machine.get_first_known_indented(match.end(), strip_top=0)
        call = Call(match.group(1), lines, offset, lineno, self, presets)
        return directives.run(call), blank_finish or machine.is_next_line_blank()

    def hyperlink_target(self, match: re.Match[str]) -> Any:
        """Return a target; one whose name never ends is no target."""
        self._refuse_long()
        body: Any = super()
        return body.hyperlink_target(match)

    def substitution_def(self, match: re.Match[str]) -> Any:
        """Return a substitution; one whose name never ends is none."""
        self._refuse_long()
        body: Any = super()
        return body.substitution_def(match)

    def table(self, isolate_function: Any, parser_class: Any) -> Any:
        """Return a simple table; the rule below its header may be of dashes."""
        body: Any = super()
        is_simple = parser_class is tableparser.SimpleTableParser
        return body.table(isolate_function, _SimpleTable if is_simple else parser_class)

    def split_attribution(self, indented: Any, line_offset: int) -> Any:
        """Look for the end of a quote; docutils goes through all the lines below for each quote."""
        self.inliner.count(1 + len(indented) // _LINES_A_STEP)
        body: Any = super()
        return body.split_attribution(indented, line_offset)

    def _refuse_long(self) -> None:
        """Refuse long constructs: docutils searches for the end of their name again at every line."""
        machine: Any = self.state_machine
        below = machine.input_lines[machine.line_offset + 1 : machine.line_offset + _LONGEST_TARGET]
        if len(below) == _LONGEST_TARGET - 1 and all(line.startswith(" ") for line in below):
            raise states.MarkupError("construct of too many lines")


class _SimpleTable(tableparser.SimpleTableParser):
    """A table of columns in which a single rule of dashes, below the first row, stands below the header.

    Words may be wider than their column.
    """

    def setup(self, block: Any) -> None:
        """Take the block to parse; docutils would read the rule as cells that span columns."""
        super().setup(block)
        body: Any = self
        for at, line in enumerate(with_wide_columns(list(body.block))):
            body.block[at] = line
        inner = range(1, len(body.block) - 1)
        rules = [at for at in inner if _TABLE_RULE.fullmatch(body.block[at].rstrip())]
        if len(rules) == 1 and body.block[rules[0]].rstrip() == body.block[0].rstrip() and self._is_row(rules[0]):
            body.block[rules[0]] = body.block[rules[0]].replace("-", "=")

    def _is_row(self, end: int) -> bool:
        """Return whether there is one row above a line: only its first line says something in the first column."""
        body: Any = self
        width = len(body.block[0].split(" ", 1)[0])
        begun = [bool(line[:width].strip()) for line in body.block[1:end]]
        return begun[:1] == [True] and not any(begun[1:])


def _private(state: type[states.RSTState]) -> type[states.RSTState]:
    """Return a state that behaves as docutils' own, with the limits above; states are known by their names."""
    base = _Body if issubclass(state, states.Body) else _State
    return type(state.__name__, (base, state), {})


_Body.explicit = SimpleNamespace(
    patterns=states.Body.explicit.patterns,
    constructs=[
        (getattr(_Body, method.__name__, method), pattern) for method, pattern in states.Body.explicit.constructs
    ],
)
_STATES = tuple(_private(state) for state in states.state_classes)

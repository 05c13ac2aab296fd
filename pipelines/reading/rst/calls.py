"""A directive of reStructuredText as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList

from pipelines.reading.rst.roles import last_part

_OPTION = re.compile(r":(?![: ])[^:\n]{1,80}:(?: |$)")
_OPTION_OR_MORE = re.compile(rf"{_OPTION.pattern}|[ ]+\S")


@dataclass
class Call:
    """A directive as it is written: its argument, its options, and the lines of its content.

    Attributes:
        full_name: Its name, which may begin with a domain.
        lines: What stands behind its "::" and, without their indentation, the lines that belong to it.
        offset: The place of the first of these lines in the file, from 0.
        lineno: The line of the file where it begins, from 1.
        state: The state of the parser that met it.
        presets: Options that docutils sets itself.
    """

    full_name: str
    lines: StringList
    offset: int
    lineno: int
    state: Any
    presets: dict[str, Any]

    @property
    def name(self) -> str:
        """Its name without a domain."""
        return last_part(self.full_name)

    @property
    def argument(self) -> StringList:
        """The lines up to the first option or blank line, if there is something on the directive's own line."""
        return self.lines[: self.argument_end]

    @property
    def title(self) -> str:
        """What stands on the directive's own line."""
        return str(self.lines[0]).strip() if self.argument_end else ""

    @cached_property
    def content_start(self) -> int:
        """Where the content begins among the lines."""
        start = self._options_end
        while start < len(self.lines) and not self.lines[start].strip():
            start += 1
        return start

    def parse(self, node: nodes.Element, start: int, end: int | None = None) -> None:
        """Parse some of the lines as blocks and add them to a node."""
        lines = self.lines[start:end]
        if lines:
            self.state.nested_parse(lines, self.offset + start, node)

    def parse_title(self, lines: Iterable[str]) -> list[nodes.Node]:
        """Return the inline nodes of some text."""
        found, _ = self.state.inline_text(" ".join(line.strip() for line in lines), self.lineno)
        return list(found)

    def line(self, index: int) -> int | None:
        """Return the line of the file of one of the lines, from 1."""
        number = self.lines.info(index)[1] if index < len(self.lines) else None
        return None if number is None else number + 1

    @cached_property
    def argument_end(self) -> int:
        """Where the argument ends among the lines, 0 without one."""
        if not self.lines or not self.lines[0].strip() or _OPTION.match(self.lines[0]):
            return 0
        return next(
            (at for at, line in enumerate(self.lines) if not line.strip() or _OPTION.match(line)), len(self.lines)
        )

    @cached_property
    def _options_end(self) -> int:
        start = self.argument_end
        if start == 0 and self.lines and not self.lines[0].strip():
            start = 1
        # Options may be indented deeper than the content, by whose indentation all lines were cut.
        if start >= len(self.lines) or not _OPTION.match(self.lines[start].lstrip()):
            return self.argument_end
        behind = (at for at in range(start, len(self.lines)) if not _OPTION_OR_MORE.match(self.lines[at]))
        return next(behind, len(self.lines))

    @cached_property
    def options(self) -> dict[str, str]:
        """The options by their names in small letters."""
        read: dict[str, str] = {}
        for line in self.lines[self.argument_end : self._options_end]:
            if _OPTION.match(line):
                name, _, value = line[1:].partition(":")
                read[name.lower()] = value.strip()
        return read

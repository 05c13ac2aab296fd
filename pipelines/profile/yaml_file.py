"""Reads a profile's YAML file; errors name line and column.

Two traps of YAML 1.1 are disabled: ``no``, ``off`` and the like are text, not booleans, and so are dates and
``12:30``. Duplicate keys are refused: the second one would silently win.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError

from pipelines.errors import Problem, ProfileError

SCALARS = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?(0|[1-9][0-9_]{0,30})", "-+0123456789"),  # 007 is text: an octal number, or an id, is never guessed
    "float": (r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+", "-+.0123456789"),
    "null": (r"~|null|Null|NULL|", "~nN"),
    "merge": (r"<<", "<"),
}
"""What a plain word is by its form, and how such words begin."""


_MOST_NODES = 100_000
"""Values of a profile, each alias counted as all that it stands for."""


class _ProfileYaml(yaml.SafeLoader):
    """Safe YAML without tags and without duplicate keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's way

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._anchored: set[str] = set()
        self._sizes: dict[yaml.Node, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchored:  # unknown, or around itself
                problem = 'no finished anchor has this name; text that begins with "*" must stand in quotes'
                raise _fault(problem, event.start_mark)
        elif event.tag is not None:
            raise _fault('text that begins with "!" must stand in quotes', event.start_mark)
        node = super().compose_node(parent, index)
        self._anchored.add(event.anchor)
        if node is not None and node not in self._sizes:
            self._sizes[node] = size = 1 + sum(self._sizes[part] for part in _parts(node))
            if size > _MOST_NODES:
                raise _fault(f"its aliases stand for more than {_MOST_NODES} values", event.start_mark)
        return node

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _fault("a key must be a word", key.start_mark)
            if key.value in seen:
                raise _fault(f'key "{key.value}" is written twice', key.start_mark)
            seen.add(key.value)
        return node


def add_scalars(loader: type[yaml.SafeLoader], scalars: Mapping[str, tuple[str, str]]) -> None:
    """Let ``loader`` take plain words for these; see `SCALARS`."""
    for name, (pattern, first) in scalars.items():
        loader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", re.compile(rf"(?:{pattern})$"), [*first, ""])


add_scalars(_ProfileYaml, SCALARS)


def _parts(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def read_yaml(path: Path) -> dict[str, Any]:
    """Read the mapping in a YAML file; an empty file is an empty mapping.

    Files with the same text share one mapping, so change only a copy of it.

    Raises:
        ProfileError: The file cannot be read, is not UTF-8, not YAML, or not a mapping; with line and column.
    """
    text = _text(path)
    try:
        raw = _parsed(text)
    except yaml.YAMLError as error:
        raise _unusable(path, f"not YAML: {_where(error, text)}") from None
    except RecursionError:
        raise _unusable(path, "nests too deep to be a profile") from None
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise _unusable(path, "must be a mapping of keys to values")
    return raw


@lru_cache(maxsize=32)
def _parsed(text: str) -> Any:
    """Return what the text says; kept, because a process opens thousands of tenants on the same few bases."""
    return yaml.load(text, Loader=_ProfileYaml)  # noqa: S506 - a SafeLoader


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable(path, f"not UTF-8 text: byte {error.start + 1} cannot be read; save it as UTF-8") from None
    except OSError as error:
        raise _unusable(path, f"cannot be read: {error.strerror}") from None


def _where(error: yaml.YAMLError, text: str) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        line, column = error.problem_mark.line, error.problem_mark.column
        return f"line {line + 1}, column {column + 1}: {error.problem}{_hint(text, line)}"
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return f"line {line}, column {column}: the character #x{error.character:02x} is not allowed"
    return str(error)


def _hint(text: str, line: int) -> str:
    written = text.splitlines()[line] if line < len(text.splitlines()) else ""
    if "\t" in written:
        return " (a tab: indent with spaces)"
    return ' (between { } a ${NAME} must stand in quotes: "${NAME}")' if "${" in written else ""


def _fault(problem: str, mark: Any) -> ComposerError:
    return ComposerError(None, None, problem, mark)


def _unusable(path: Path, problem: str) -> ProfileError:
    return ProfileError(str(path), (Problem("", problem),))

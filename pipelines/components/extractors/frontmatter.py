"""YAML front matter of documents as metadata.

Traps of YAML 1.1 are disabled: ``no`` is text, no boolean, and so are ``01234``, ``0x1F`` and ``12:30``, no numbers to
the bases of 8, 16 and 60. Dates are dates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError

from pipelines.errors import CorruptDocument
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.yaml_file import SCALARS, add_scalars
from pipelines.types import ParsedDocument

# PyYAML raises these for a value that contradicts its tag, such as a 30th of February or an empty "!!int".
_CONSTRUCTION_ERRORS = (ValueError, ArithmeticError, LookupError, AttributeError)
_SCALARS = {
    "bool": SCALARS["bool"],
    "int": SCALARS["int"],
    # Nothing that PyYAML writes as text, such as 1e5, which may be an id: TOML front matter comes from it.
    "float": (r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?", "-+.0123456789"),
}
_AS_IN_YAML_1_1 = frozenset({"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"})
_SHOWN = 60  # characters
_BOOLEANS = {"yes": True, "on": True, "no": False, "off": False}
_LEADING_ZEROS = re.compile(r"[-+]?0[0-9]{1,18}")


class _FrontmatterYaml(yaml.SafeLoader):
    """Safe YAML without aliases: a few nested ones expand to gigabytes, and one may contain itself."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {  # noqa: RUF012 - PyYAML's way
        first: [rule for rule in rules if rule[0] in _AS_IN_YAML_1_1]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        mark: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            problem = f'an alias, "*{event.anchor}", is not allowed; put quotes around text that begins with "*"'
            raise ComposerError(None, None, problem, mark)
        return super().compose_node(parent, index)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except _CONSTRUCTION_ERRORS:
            problem = f'"{str(node.value)[:_SHOWN]}" is not a valid {node.tag.rpartition(":")[2]}'
            raise ConstructorError(None, None, problem, node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        if isinstance(node, yaml.MappingNode):
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise ConstructorError(None, None, "a key must be a word", key.start_mark)
        return super().construct_mapping(node, deep)


add_scalars(_FrontmatterYaml, _SCALARS)


def extract_frontmatter(document: ParsedDocument, fields: Mapping[str, MetadataField] | None = None) -> ParsedDocument:
    """Return ``document`` with the keys of its front matter as metadata; ``title`` becomes the title.

    Where ``fields`` declare a boolean, ``yes`` and ``no`` are one; where they declare a number, ``007`` is one.

    Raises:
        CorruptDocument: There is front matter, and it is not a YAML mapping, nests too deep, or holds aliases.
    """
    if not document.frontmatter:
        return document
    declared = fields or {}
    found = {
        key: _as_declared(_plain(value), declared.get(key)) for key, value in _mapping(document.frontmatter).items()
    }
    title = found.get("title")
    return replace(
        document,
        title=title if isinstance(title, str) else document.title,
        metadata={**document.metadata, **found},
    )


def _mapping(text: str) -> dict[str, Any]:
    try:
        found = yaml.load(text, Loader=_FrontmatterYaml)  # noqa: S506 - a SafeLoader
    except RecursionError:
        raise CorruptDocument("Markdown", "its frontmatter nests too deep; mend it or remove it") from None
    except (yaml.YAMLError, *_CONSTRUCTION_ERRORS) as error:
        raise CorruptDocument("Markdown", f"its frontmatter is not YAML{_fault(error)}; mend it or remove it") from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise CorruptDocument("Markdown", "its frontmatter is not a mapping of keys to values; mend it or remove it")
    odd = [str(key) for key in found if not isinstance(key, str)]
    if odd:
        raise CorruptDocument("Markdown", f"its frontmatter has a key that is not a word, {odd[0]}; put it in quotes")
    return found


def _fault(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 2}" if mark else ""
    return f"{where} ({getattr(error, 'problem', None) or error})"


def _as_declared(value: Any, field: MetadataField | None) -> Any:
    if field is None or not isinstance(value, str):
        return value
    if field.type == "boolean":
        return _BOOLEANS.get(value.casefold(), value)
    return int(value) if field.type in ("integer", "float") and _LEADING_ZEROS.fullmatch(value) else value


def _plain(value: Any) -> Any:
    """Convert dates to ISO 8601 text: metadata must be JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value

"""YAML front matter of documents as metadata."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import yaml
from yaml.composer import ComposerError

from pipelines.errors import CorruptDocument
from pipelines.types import ParsedDocument

# PyYAML raises these for a value that contradicts its tag, such as a 30th of February or an empty "!!int".
_CONSTRUCTION_ERRORS = (ValueError, ArithmeticError, LookupError, AttributeError)


class _FrontmatterYaml(yaml.SafeLoader):
    """Safe YAML without aliases: a few nested ones expand to gigabytes, and one may contain itself."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        mark: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            problem = f'an alias, "*{event.anchor}", is not allowed; put quotes around text that begins with "*"'
            raise ComposerError(None, None, problem, mark)
        return super().compose_node(parent, index)


def extract_frontmatter(document: ParsedDocument) -> ParsedDocument:
    """Return ``document`` with the keys of its front matter as metadata; ``title`` becomes the title.

    Raises:
        CorruptDocument: There is front matter, and it is not a YAML mapping, nests too deep, or holds aliases.
    """
    if not document.frontmatter:
        return document
    found = {key: _plain(value) for key, value in _mapping(document.frontmatter).items()}
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
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise CorruptDocument("Markdown", "its frontmatter is not a mapping of keys to values; mend it or remove it")
    return found


def _fault(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 2}" if mark else ""
    return f"{where} ({getattr(error, 'problem', None) or error})"


def _plain(value: Any) -> Any:
    """Convert dates to ISO 8601 text: metadata must be JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value

"""The front matter of Markdown, YAML between lines of ``---`` or TOML between ``+++``, taken off its text."""

from __future__ import annotations

import tomllib
from typing import Any

import yaml

from pipelines.errors import CorruptDocument
from pipelines.reading.headings import frontmatter_end
from pipelines.reading.markdown.fences import NumberedLine

_TOML = "+++"


def split_frontmatter(text: str) -> tuple[str, list[NumberedLine]]:
    """Return the front matter as YAML, empty where there is none, and the lines behind it.

    Raises:
        CorruptDocument: It is TOML that cannot be read.
    """
    lines = list(enumerate(text.split("\n"), start=1))
    if text.startswith(_TOML):
        return _toml(lines)
    end = frontmatter_end(text)
    count = text[:end].count("\n") + (end == len(text) and not text.endswith("\n")) if end else 0
    return "\n".join(line for _, line in lines[1 : count - 1]) if count else "", lines[count:]


def _toml(lines: list[NumberedLine]) -> tuple[str, list[NumberedLine]]:
    ends = (index for index, (_, line) in enumerate(lines) if index and line.rstrip() == _TOML)
    end = next(ends, 0)
    if not end or lines[0][1].rstrip() != _TOML:
        return "", lines
    try:
        found: dict[str, Any] = tomllib.loads("\n".join(line for _, line in lines[1:end]))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = f"its frontmatter is not TOML ({error}); mend it or remove it"
        raise CorruptDocument("Markdown", reason) from None
    return yaml.safe_dump(found, allow_unicode=True, sort_keys=False) if found else "", lines[end + 1 :]

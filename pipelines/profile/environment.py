"""Replaces ``${NAME}`` and ``${NAME:-default}`` by values of the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}")


class EnvironmentText(str):
    """Text with substituted values; keeps the text of the file and the faults found."""

    written: str
    faults: tuple[str, ...]

    @property
    def is_name_only(self) -> bool:
        """Whether the file says ``${NAME}`` or ``${NAME:-}`` alone, and so no part of the value."""
        match = _REFERENCE.fullmatch(self.written)
        return match is not None and not match[2]


def substitute(value: Any, environment: Mapping[str, str]) -> Any:
    """Return a copy of ``value`` with all references replaced once; the values themselves are not expanded."""
    match value:
        case dict():
            return {key: substitute(item, environment) for key, item in value.items()}
        case list():
            return [substitute(item, environment) for item in value]
        case str() if "${" in value:
            return _filled_text(value, environment)
    return value


def _filled_text(written: str, environment: Mapping[str, str]) -> EnvironmentText:
    text = EnvironmentText(_REFERENCE.sub(lambda match: environment.get(match[1]) or match[2] or "", written))
    text.written = written
    faults = [_unset(match[1], environment) for match in _REFERENCE.finditer(written) if _lacks(match, environment)]
    if "${" in _REFERENCE.sub("", written):
        faults.append("a reference is written ${NAME} or ${NAME:-default}, and a default holds no braces")
    text.faults = tuple(faults)
    return text


def _lacks(match: re.Match[str], environment: Mapping[str, str]) -> bool:
    return not environment.get(match[1]) and match[2] is None


def _unset(name: str, environment: Mapping[str, str]) -> str:
    return f"the environment variable {name} is {'empty' if name in environment else 'not set'}"

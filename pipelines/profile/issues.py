"""A problem in a profile, with the path of its key."""

from __future__ import annotations

from typing import NamedTuple

Steps = tuple[str | int, ...]


class ProfileIssue(NamedTuple):
    """A key's path, what is wrong there, and the nearest known name."""

    path: Steps
    message: str
    suggestion: str | None = None


def format_path(path: Steps) -> str:
    """Return the path as messages print it: ``auth -> keys -> 0 -> name``."""
    return " -> ".join(_step(str(step)) for step in path)


def _step(step: str) -> str:
    return step if step and step.isprintable() else ascii(step)

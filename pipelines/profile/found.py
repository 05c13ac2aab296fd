"""One thing found wrong in a profile, with its path as the steps that lead there."""

from __future__ import annotations

from typing import NamedTuple

Steps = tuple[str | int, ...]


class Found(NamedTuple):
    """Where something is wrong, what, and the nearest name that would be right."""

    path: Steps
    message: str
    suggestion: str | None = None


def spoken(path: Steps) -> str:
    """The path as a message prints it: ``auth -> keys -> 0 -> name``."""
    return " -> ".join(_step(str(step)) for step in path)


def _step(step: str) -> str:
    return step if step and step.isprintable() else ascii(step)

"""Test files that take long.

They run last, and those that a slow machine has no time for are left out, with a reason.
"""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from random import Random

import pytest

UNTIL = "FOOTNOTE_TEST_UNTIL"
"""Seconds since 1970 from which on no test of a long file begins; without it, all run."""
TURN = "FOOTNOTE_TEST_TURN"
"""Any text: it decides the order of the long files, so that it is not always the same ones that are left out."""
LONG_FILES = frozenset(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split())
"""Files of three seconds of processor time or more: a fifth of all files, and four fifths of all time."""


def put_last(items: list[pytest.Item], root: Path) -> None:
    """Put the tests of long files behind all others, in an order that the turn decides."""
    order = sorted(LONG_FILES)
    Random(os.environ.get(TURN, "")).shuffle(order)
    places = {root / name: place for place, name in enumerate(order, 1)}
    items.sort(key=lambda item: places.get(item.path, 0))


def skip_late(item: pytest.Item, root: Path) -> None:
    """Skip a test of a long file where there is no time left for it."""
    if time.time() > _until() and item.path.relative_to(root).as_posix() in LONG_FILES:
        pytest.skip("no time is left on this machine; `make test` runs it")


@cache
def _until() -> float:
    """Take the time out of the environment: a test that starts another pytest needs all of it."""
    return float(os.environ.pop(UNTIL, "inf"))

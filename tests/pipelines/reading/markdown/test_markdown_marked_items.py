"""Items of Markdown with marks that are none of its own: "(a)", "b."."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def blocks(text: str) -> list[tuple[str, int, str]]:
    document = read(text.encode(), name="a.md")
    assert_blocks_fit(document)
    return shown_blocks(document)


LEASE = [
    ("paragraph", 0, "9.1 The harbour may end the lease if the boat"),
    ("item", 1, "(a) has sunk and is not raised;"),
    ("item", 1, "(b) is sold to a third person; or"),
    ("item", 1, "(c) leaks."),
    ("paragraph", 0, "9.2 It ends in May."),
]


@pytest.mark.parametrize(("above", "between"), [("\n", "\n"), ("\n\n", "\n"), ("\n\n", "\n\n")])
def test_marked_lines_are_items(above: str, between: str) -> None:
    items = between.join(["(a) has sunk and\nis *not* raised;", "(b) is sold to a third person; or", "(c) leaks."])
    assert blocks(f"9.1 The harbour may end the lease if the boat{above}{items}\n\n9.2 It ends in May.\n") == LEASE


def test_marked_lines_inside_of_an_item_are_deeper() -> None:
    assert blocks("1. A boat is let if\n   (a) it floats, and\n   (b) it is dry.\n2. Then it is paid.\n") == [
        ("item", 1, "1. A boat is let if"),
        ("item", 2, "  (a) it floats, and"),
        ("item", 2, "  (b) it is dry."),
        ("item", 1, "2. Then it is paid."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A boat floats\n(b) or sinks.",
        "A boat floats\n(a) or sinks.",
        "(a) A boat\n(i) floats.",
        "See\n1900) and\n1901).",
    ],
)
def test_a_single_mark_in_prose_is_none(text: str) -> None:
    assert [kind for kind, _, _ in blocks(text)] == ["paragraph"]


def test_marked_lines_take_linear_time() -> None:
    started = time.process_time()
    for text in ("(a) x\n", "(a) x\n(b) y\n", "(a) *x\n", "(a) x\n\n"):
        blocks("A boat\n\n" + text * (30_000 // len(text)))
    assert time.process_time() - started < 60

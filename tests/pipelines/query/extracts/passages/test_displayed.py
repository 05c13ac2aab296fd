"""Formulas that are displayed belong to the sentence around them."""

from __future__ import annotations

from time import process_time

import pytest

from pipelines.query.extracts.passages.windows import sentences_in
from pipelines.reading import read
from pipelines.reading.draft import Draft
from pipelines.types import Span, StoredText
from tests.pipelines.query.extracts.drafts import passages, stored

LONG = "A boat at anchor swings around it with the tide, and it needs room on all sides. " * 5


def test_a_sentence_is_shown_with_its_formula_and_what_stands_behind_it() -> None:
    written = read(
        "The swing of a boat is\n\n$$r = \\sqrt{l^2 - d^2}$$\n\nwhere $d$ is the depth.\n\nIt is large.", name="a.md"
    )
    shown = [one.shown for one in passages(StoredText(written.text, blocks=written.blocks))]
    assert shown == ["The swing of a boat is\nr = \u221a(l^2-d^2)\nwhere d is the depth.", "It is large."]


@pytest.mark.parametrize("leads", ["The swing is", "The swing of a boat:", "For a rope,", "The swing"])
def test_no_sentence_of_long_prose_ends_before_its_formula(leads: str) -> None:
    def swing(draft: Draft) -> None:
        draft.add(f"{LONG}{leads}")
        draft.add("r = l + 2")
        draft.add("in metres. The depth counts too.")

    text = stored(swing)
    (whole,) = {one.group for one in passages(text)}
    assert whole == 0
    sentences = [text.text[one.start : one.end] for one in sentences_in(text.text, Span(0, len(text.text)))]
    assert sentences[-2:] == [f"{leads}\n\nr = l + 2\n\nin metres.", "The depth counts too."]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("The swing is large.", "r = l + 2"),
        ("The swing is", "a boat whose length = that of the rope is long"),
        ("r = l + 2", "The depth counts too."),
        ("The swing is", "large in any wind"),
        ("Swings", "r = l + 2"),
        ("A setting for the swing of boats", '<swing length="7">'),
    ],
)
def test_what_ends_or_is_no_formula_stands_alone(before: str, behind: str) -> None:
    text = stored(lambda draft: [draft.add(one) for one in (before, behind)])
    assert not any(before in one.shown and behind in one.shown for one in passages(text))


def test_formulas_are_told_in_linear_time() -> None:
    started = process_time()
    for part in ("a = b\n\n", "abc " * 40 + "=\n\n", "=", "abc, "):
        text = part * (200_000 // len(part))
        sentences_in(text, Span(0, len(text)))
    assert process_time() - started < 20

"""Texts that a document refers to at its end answer questions for texts, and hardly any others."""

from __future__ import annotations

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


def fund(draft: Draft) -> None:
    draft.add_heading(1, "The harbour fund")
    draft.add("The town keeps the fund of the harbour in an account at the bank, and the crew knows of it.")
    draft.add_heading(2, "References")
    draft.add('- Ida Lund, "Money and Harbours", https://example.org/money, 2016', "item", level=1)


@pytest.mark.parametrize(
    ("question", "is_reference"),
    [("Who keeps the harbour money?", False), ("Which article on harbour money is there?", True)],
)
def test_references_are_left_to_questions_for_texts(question: str, is_reference: bool) -> None:
    found = choose(question, fund, favouring_a_little("Money"), most=1).extracts[0].shown
    assert ("example.org" in found) is is_reference

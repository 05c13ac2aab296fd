"""Why something is so."""

import pytest

from pipelines.query.extracts.language.reasons import asks_why, reasoning
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


def test_why_something_was_decided_is_told_by_the_reasons() -> None:
    def decision(draft: Draft) -> None:
        draft.add_heading(1, "No sails on the ferry")
        draft.add_heading(2, "Context")
        draft.add("In autumn the sails of the ferry tore in three storms out of four.")
        draft.add_heading(2, "Decision")
        draft.add("The ferry will have no sails. Its engine is mended instead.")

    found = choose("Why does the ferry have no sails?", decision, favouring_a_little("no sails"), most=1)
    assert "storms" in found.extracts[0].shown


@pytest.mark.parametrize(
    ("text", "headings", "least", "most"),
    [
        ("It tore.", ("Root cause",), 1.0, 1.0),
        ("It tore.", ("4.2.1. Background",), 1.0, 1.0),
        ("It tore.", ("IV. Problem description",), 1.0, 1.0),
        ("It tore because of a storm.", (), 0.1, 0.9),
        ("In order for the boom to swing, it must hang free.", (), 0.1, 0.9),
        ("It will have no sails.", ("Decision",), -0.9, -0.1),
        ("It will have no sails.", ("Sails",), 0.0, 0.0),
    ],
)
def test_a_text_gives_reasons_by_its_words_or_its_heading(
    text: str, headings: tuple[str, ...], least: float, most: float
) -> None:
    assert least <= reasoning(text, headings) <= most


def test_only_why_asks_for_reasons() -> None:
    assert asks_why("But why is it closed?")
    assert not asks_why("Who knows why it is closed?")

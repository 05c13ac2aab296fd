"""What was so in old versions is shown with what is so now."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

NOW = "Ebb 5 learned to read them, and charts are now folded."


@pytest.mark.parametrize(
    "begins", ["In Ebb 0.4 and lower", "Before version 5", "Up to Ebb 4.x", "In earlier versions of Ebb"]
)
def test_what_is_so_now_follows(begins: str) -> None:
    def charts(draft: Draft) -> None:
        draft.add(f"{begins}, charts were not folded.")
        draft.add(NOW)

    (extract,) = choose("Can charts be folded?", charts, favouring("were not folded"), most=1).extracts
    assert extract.shown == f"{begins}, charts were not folded. {NOW}"


@pytest.mark.parametrize(
    ("old", "below"),
    [
        ("In the harbour, charts were not folded.", NOW),
        ("Before version 5, charts were not folded.", "Charts are made of paper."),
        ("Before version 5, charts were not folded.", f"{NOW} " * 9),
    ],
)
def test_other_prose_stands_on_its_own(old: str, below: str) -> None:
    def charts(draft: Draft) -> None:
        draft.add(old)
        draft.add(below)

    (extract,) = choose("Can charts be folded?", charts, favouring("were not folded"), most=1).extracts
    assert extract.shown == old


def test_nothing_follows_the_end_of_a_text() -> None:
    old = "Before version 5, charts were not folded."
    (extract,) = choose("Can charts be folded?", lambda draft: draft.add(old), favouring("folded"), most=1).extracts
    assert extract.shown == old

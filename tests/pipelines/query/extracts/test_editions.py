"""Similar extracts from several years, sheets and meetings are labelled, the newest first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from pipelines.types import Hit, StoredText
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.hits import terms


def sheets(old: str, new: str) -> StoredText:
    def fill(draft: Draft) -> None:
        for sheet, price in ((old, "£31"), (new, "£34")):
            draft.add_heading(1, sheet)
            draft.add("Boat | Berth", "header", level=1)
            draft.add(f"Skiff | {price}", "row", level=1)
            draft.add("Gig | £70", "row", level=1)

    return stored(fill)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Berths 2030", "Berths 2031"),
        ("Berths (old)", "Berths"),
        ("Season 2030/31", "Season 2031/32"),
        ("From May 2031", "From July 2031"),
        ("Berths, draft", "Berths, agreed"),
    ],
)
def test_rows_of_two_sheets_are_told_apart_and_the_newer_one_comes_first(old: str, new: str) -> None:
    found = choose("How much is a berth for a skiff?", sheets(old, new), favouring("Skiff"))
    assert [one.shown for one in found.extracts] == [
        f"{new}: Boat: Skiff; Berth: £34",
        f"{old}: Boat: Skiff; Berth: £31",
    ]
    assert found.extracts[0].quote == "Skiff | £34"


def test_an_earlier_edition_that_is_asked_for_comes_first() -> None:
    text = sheets("Berths 2030", "Berths 2031")
    found = choose("How much was a berth for a skiff in 2030?", text, favouring("Skiff"))
    assert found.extracts[0].shown == "Boat: Skiff; Berth: £31"


def test_rows_of_one_table_are_shown_as_before() -> None:
    found = choose("How much is a berth?", sheets("Berths", "Cranes"), favouring("Gig"), most=1)
    assert all(not one.shown.startswith(("Berths", "Cranes")) for one in found.extracts)


def minutes(month: str, said: str) -> tuple[Hit, StoredText]:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Ebb Rowing Club")
        draft.add_heading(2, "4. Regatta" if month == "01" else "3. Regatta")
        draft.add(said)

    text = stored(fill)
    return replace(hit(text, said, document_id=f"minutes-2031-{month}.md"), title="Ebb Rowing Club"), text


def test_the_later_of_two_minutes_comes_first_with_the_name_of_its_file() -> None:
    (january, first), (march, second) = (
        minutes("01", "The regatta is planned for 8 August. Oona asks for a judge."),
        minutes("03", "The jetty is taken then, so that it moves to 15 August. Dai will be the judge of it."),
    )
    found = Chooser(favouring("judge"), terms).choose("When is the regatta?", [january, march], [first, second], 2)
    assert [one.shown.split(":")[0] for one in found.extracts] == ["minutes-2031-03", "minutes-2031-01"]


def test_other_things_of_two_sections_are_not_labelled() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Spring")
        draft.add("The jetty opens on 3 April for boats.")
        draft.add_heading(1, "Winter")
        draft.add("Boats are stored from 9 November in the shed by the harbour, which is locked.")

    found = choose("When are boats at the jetty?", fill, favouring("oats"))
    assert {one.shown[:4] for one in found.extracts} == {"The ", "Boat"}

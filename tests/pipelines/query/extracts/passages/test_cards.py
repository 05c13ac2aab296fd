"""Cards of people and prices: short lines below a name, which are shown together and behind it."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading import read
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import hit, passages, stored

CREW = (
    "<html><title>Ebb Rowing Club</title><h1>Ebb Rowing Club</h1><p>By the harbour.</p><h2>Crew</h2>"
    "<div><h3>Oona Kivela</h3><p>Head coach</p><p>Works Mon, Tue. Special interest: sculling.</p></div>"
    "<div><h3>Dai Rees</h3><p>Boat keeper</p><p>Repairs: dai@ebb.example</p></div>"
    "<h2>Boats for hire</h2><div><h3>Skiff</h3><p>£14</p><ul><li>one seat and two oars</li><li>a life jacket</li></ul>"
    "</div><div><h3>Gig</h3><p>Six seats, with cox. The boat is made of oak.</p><p>£52</p></div></html>"
)


def page(text: str) -> StoredText:
    document = read(text, name="a.html")
    return StoredText(document.text, document.pages, document.headings, document.blocks)


def shown(text: str) -> list[str]:
    stored = page(text)
    return [passage.shown for passage in passages_of([hit(stored)], [stored])]


@pytest.mark.parametrize(
    "card",
    [
        "Dai Rees: Boat keeper\nRepairs: dai@ebb.example",
        "Oona Kivela: Head coach\nWorks Mon, Tue. Special interest: sculling.",
        "Skiff: £14\n- one seat and two oars\n- a life jacket",
        "Skiff: £14\n- a life jacket\n…",
        "Gig: Six seats, with cox. The boat is made of oak.\n£52",
    ],
)
def test_lines_of_a_card_are_shown_together_behind_its_name(card: str) -> None:
    assert card in shown(CREW)


def test_who_has_an_office_is_told_by_the_name_of_the_card() -> None:
    found = choose("Who is the boat keeper of the rowing club?", page(CREW), favouring("keeper"), most=1)
    assert found.extracts[0].shown.startswith("Dai Rees: Boat keeper")
    assert found.extracts[0].quote == "Boat keeper\n\nRepairs: dai@ebb.example"


def test_a_line_alone_below_a_name_is_shown_behind_it() -> None:
    assert "Dai Rees: Boat keeper" in shown("<h1>Ebb</h1><h2>Crew</h2><h3>Dai Rees</h3><p>Boat keeper</p>")


def test_the_lines_below_the_title_of_a_document_are_no_card() -> None:
    found = shown("<h1>Ebb Rowing Club</h1><p>Spring 2031</p><p>The club has forty boats and a jetty.</p>")
    assert "The club has forty boats and a jetty." in found


def test_a_line_above_a_list_is_not_shown_with_what_stands_before_it() -> None:
    found = shown(
        "<h1>Ebb</h1><h2>Towing</h2><p>Boats are towed by day.</p><p>Storage</p><ul><li>at the jetty</li></ul>"
    )
    assert found[:2] == ["Boats are towed by day.", "Storage\n- at the jetty"]


def test_longer_paragraphs_of_a_section_stay_apart() -> None:
    said = "The jetty was built of oak and stands in deep water, where boats land in every weather and season."
    found = shown(f"<h1>Ebb</h1><h2>Jetty</h2><p>{said}</p><p>{said} It is lit.</p><p>{said} It is new.</p><p>Tea</p>")
    assert said in found


@pytest.mark.parametrize(
    ("question", "is_other"),
    [
        ("How much is the silk repair of a sail?", True),
        ("How much is the cotton repair of a sail?", False),
        ("How much is the repair with new eyelets?", False),
        ("How much is the wool blanket?", False),
    ],
)
def test_a_card_of_another_kind_does_not_answer(question: str, is_other: bool) -> None:
    loft = (
        "<h1>Sail loft</h1><h2>Repairs of sails</h2>"
        "<h3>Cotton</h3><p>£30</p><ul><li>eyelets</li><li>seams</li></ul><h3>Nylon</h3><p>£20</p><ul><li>seams</li></ul>"
    )
    (first, *_) = choose(question, page(loft), favouring("eyelets"), most=1).extracts
    assert first.shown.startswith("Cotton: £30")
    assert is_off_subject(question, first) == is_other


def test_who_is_asked_for_stands_before_what_the_section_says() -> None:
    crew = (
        "<h1>Ebb Rowing Club</h1><h2>Our Crew</h2><p>Our crew looks after the boats of the club in every season.</p>"
        "<h3>Dr Oona Kivela</h3><p>Teaches sculling on Mon and Tue, with a boat of her own.</p>"
        "<h3>Dai Rees</h3><p>Repairs the boats and the jetty of the club, mostly on Fri.</p>"
    )
    (first, *_) = choose("Who teaches sculling?", page(crew), favouring("sculling"), most=1).extracts
    assert first.shown == "Dr Oona Kivela: Teaches sculling on Mon and Tue, with a boat of her own."
    assert not is_off_subject("Who teaches sculling?", first)
    (first, *_) = choose("Which coach teaches sculling?", page(crew), favouring("sculling"), most=1).extracts
    assert first.shown.startswith("Dr Oona Kivela: ")
    (first, *_) = choose("Who looks after the boats?", page(crew), favouring("season"), most=1).extracts
    assert first.shown.startswith("Our crew looks after")


def test_a_heading_in_capitals_is_no_person_where_a_thing_is_asked_for() -> None:
    sails = "<h1>Ebb</h1><h2>Sail Care</h2><p>Spinnakers are prone to tears. Mend them before every race.</p>"
    (first, *_) = choose("Which cloths are prone to tears?", page(sails), favouring("tears"), most=1).extracts
    assert first.shown.startswith("Spinnakers are prone")


@pytest.mark.parametrize(
    ("term", "prose", "first"),
    [
        ("LIGHT_PIER", "Lights the pier alone.", "LIGHT_PIER: Lights the pier alone."),
        ("class ebb.lamps.Lamp(oil, wick=None)", "Burns from dusk on.", "Lamp: Burns from dusk on."),
        ("Lamp.burn(hours)", "Keeps the light on.", "Lamp.burn: Keeps the light on."),
        ("Lamp.wick", "The wick of a lamp is of cotton.", "The wick of a lamp is of cotton."),
        ("--oil <kind>", "Takes the kind of oil.", "Takes the kind of oil."),
    ],
)
def test_prose_right_below_a_term_is_shown_behind_its_name_unless_it_says_it(term: str, prose: str, first: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Lamps")
        draft.add(term, "term")
        draft.add(prose)

    assert [one.shown for one in passages(stored(manual))] == [first]

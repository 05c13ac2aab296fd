"""Extracts of several texts, lists and tables: each is of its own, and nothing is shown twice."""

from dataclasses import replace
from itertools import pairwise
from time import process_time

import numpy as np
import pytest

from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.series import lists_nothing
from pipelines.query.extracts.passages.fillers import is_filler
from pipelines.query.extracts.passages.passages import Passage, PassageKind
from pipelines.query.extracts.passages.showing import items_in
from pipelines.query.extracts.reader import Reader
from pipelines.query.extracts.sections import NamedSections, with_sections
from pipelines.query.extracts.unasked import unasked
from pipelines.query.extracts.weights import Weights
from pipelines.reading.draft import Draft
from pipelines.types import Hit, Span
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.hits import terms


def test_a_list_that_holds_that_of_the_items_does_not_stand_for_it() -> None:
    def steps(draft: Draft) -> None:
        draft.add("Set up the boat so:")
        draft.add("- Rig it.", "item", level=1)
        draft.add("The modes are these:", "paragraph", level=2)
        for number in range(34):
            does = "turns" if number in (4, 9) else "stops"
            draft.add(f"- mode {number} which {does} the boat in the harbour of {number} lamps", "item", level=2)
        draft.add("- Paint it.", "item", level=1)

    found = choose("How do I turn the boat?", steps, favouring("turns"))
    assert found.extracts[0].shown.startswith("The modes are these:\n- mode 4 which turns the boat")


def test_a_list_is_not_shown_over_prose_that_was_chosen_of_its_lead_in() -> None:
    def kit(draft: Draft) -> None:
        draft.add(
            "A warm jacket is needed at sea in winter. A bottle of water is needed in summer. Every guest brings these:"
        )
        for item in ("a warm jacket of wool", "a bottle of water", "a ticket"):
            draft.add(f"- {item}", "item", level=1)

    def read(question: str, texts: list[str]) -> list[float]:
        whole = ["ticket" in text for text in texts]
        prose = ["needed in summer." in text and "brings" not in text for text in texts]
        items = [2.9 * ("wool" in text) + 2.8 * ("- a bottle" in text) for text in texts]
        return [3.0 * said + one * (not of_all) for said, one, of_all in zip(prose, items, whole, strict=True)]

    reader = Reader(lambda question, texts: np.array(read(question, list(texts))))
    extracts = choose("What about jackets and bottles?", kit, reader).extracts
    spans = sorted((one.span.start, one.span.end) for one in extracts)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_what_a_thing_is_is_looked_for_around_the_best_hit_of_a_document() -> None:
    def manual(draft: Draft) -> None:
        draft.add("Bollards stand here and there.")
        draft.add("A bollard is a short post that ships are tied to.")
        for number in range(1600):
            draft.add(
                f"Line {number} of a long report on the harbour, {'its piers and its lamps, ' * 5}says the clerk."
            )
        draft.add("The bollard of the south pier was painted.")

    text = stored(manual)
    hits = [hit(text, "Bollards stand"), hit(text, "The bollard of the south", score=0.3)]
    found, _ = with_sections(NamedSections("What is a bollard?", TERMS), hits, [text, text])
    assert any(text.text[one.span.start :].startswith("A bollard is a short post") for one in found[2:])


def test_chunks_without_their_document_are_texts_of_their_own() -> None:
    said = ("Boats leave the harbour at nine in the morning.", "Late boats leave the pier at noon on every Sunday.")
    hits = [Hit(str(at), "d", 0, "Guide", "g", one, {}, 0.9, {}, Span(0, len(one))) for at, one in enumerate(said)]
    found = Chooser(favouring("leave"), terms).choose("When do boats leave?", hits, [None, None], 2)
    assert sorted(one.shown for one in found.extracts) == sorted(said)


def test_a_chunk_from_the_middle_of_a_document_does_not_begin_it() -> None:
    text = stored(lambda draft: draft.add("Short posts that ships are tied to, at each pier of the harbour."))
    found = replace(hit(text), title="Bollard")
    begins = Passage(found, "sentences", found.span, text.text, (), text, 0)
    sections = NamedSections("What is a bollard?", TERMS)
    assert sections.introduces(begins)
    assert not sections.introduces(replace(begins, offset=90_000))


def test_what_a_list_gains_does_not_depend_on_the_order_of_candidates() -> None:
    text = stored(lambda draft: draft.add("Boats of the pier wait for the tide, and the clerk waits for boats."))

    def passage(kind: PassageKind, start: int, end: int) -> Passage:
        return Passage(hit(text), kind, Span(start, end), text.text[start:end], (), text, 0)

    stretches = [passage("list", 0, 60), passage("list", 10, 50), passage("item", 20, 30)]
    weighed = []
    for order in (stretches, stretches[::-1]):
        candidates = [Candidate(one, 5.0 * (one.kind == "item")) for one in order]
        Weights("Which boats are there?", TERMS).weigh(candidates)
        weighed.append({one.passage.span: one.score for one in candidates})
    assert weighed[0] == weighed[1]


def test_a_list_inside_of_a_long_item_gains_from_its_items() -> None:
    text = stored(lambda draft: draft.add("Boats of the pier wait for the tide, and the clerk waits for boats."))
    whole, item = Span(0, 60), Span(20, 30)
    kinds: list[tuple[PassageKind, Span]] = [("list", whole), ("item", item)]
    inside = [
        Passage(hit(text), kind, span, text.text[span.start : span.end], (), text, 0, is_inside=True)
        for kind, span in kinds
    ]
    candidates = [Candidate(one, 5.0 * (one.kind == "item")) for one in inside]
    Weights("Who waits for boats?", TERMS).weigh(candidates)
    assert candidates[0].score > 3.0


def test_rows_of_one_name_that_stand_apart_are_all_candidates() -> None:
    def berths(draft: Draft) -> None:
        rows = [["Teal", "west"], ["Teal", "south"], ["Heron", "north"], ["Teal", "east in winter"], ["Swan", "far"]]
        draft.add_table([["Boat", "Berth"], *rows])

    found = choose("What is the berth of the Teal in winter?", berths, favouring("winter"))
    assert any("east in winter" in one.shown for one in found.extracts)


@pytest.mark.parametrize(
    "said",
    [
        "docs: a " * 30 + "and so on.",
        ", " * 200_000,
        "see " + "www." * 60 + "-" * 20_000 + " and then " + "home " * 40,
        "boats wait" + "\n" * 20_000 + "here",
    ],
)
def test_hostile_prose_takes_no_longer_than_its_length(said: str) -> None:
    started = process_time()
    assert is_filler(said, ()) in (True, False)
    lists_nothing("Which boats are there?", said)
    items_in(said)
    text = stored(lambda draft: draft.add(said, "code"))
    unasked("Which boats are there?", Passage(hit(text), "code", Span(0, len(text.text)), said, ("A",), text, 0))
    assert process_time() - started < 5

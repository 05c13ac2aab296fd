"""Prose, lists and the code beside or in them, where it is asked how to do something."""

import pytest

from pipelines.query.extracts.passages.code_beside import with_code_behind
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.choices import choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import passages, stored

QUESTION = "How do I export the tide table?"


def section(*behind: str, code: str = "tide export --all") -> str:
    """What is shown of a section that begins with a sentence on the export; ``behind`` stands before the code."""

    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Tides")
        draft.add("The tide table is exported by the harbour's own tool.")
        for paragraph in behind:
            draft.add(paragraph)
        draft.add(code, "code", level=behind[-1].endswith(":"))
        draft.add_heading(1, "Ropes")
        draft.add("Ropes are of hemp.")

    return choose(QUESTION, manual, favouring("exported"), most=1).extracts[0].shown


def test_the_only_code_of_a_section_is_shown_behind_what_says_what_is_done() -> None:
    told = "The tide table is exported by the harbour's own tool."
    assert section("It runs every night as well.") == f"{told}\n…\ntide export --all"
    assert section("It runs at night. By day, enter:") == f"{told}\n…\nBy day, enter:\ntide export --all"


def test_what_is_left_out_before_the_code_is_no_extract_of_its_own() -> None:
    def manual(draft: Draft) -> None:
        draft.add("The tide table is exported by the harbour's own tool.")
        draft.add("The export of the tide table runs at night.")
        draft.add("tide export --all", "code")

    (found,) = choose(QUESTION, manual, favouring("own tool", "tide"), most=2).extracts
    assert found.shown.endswith("own tool.\n…\ntide export --all")


def test_code_far_behind_and_long_code_is_not_shown() -> None:
    assert section("It runs at night.", "It is quick.").endswith("tool.")
    assert section("It runs at night.", code="tide export " * 30).endswith("tool.")


@pytest.mark.parametrize(
    ("leads_in", "is_shown"), [("This can also be done by hand:", True), ("By hand, enter:", False)]
)
def test_of_several_pieces_of_code_the_one_below_what_refers_back_is_shown(leads_in: str, is_shown: bool) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Tides")
        draft.add("The tide table is exported by the harbour's own tool.")
        draft.add(leads_in)
        draft.add("tide export --all", "code", level=1)
        draft.add("Charts are exported by another one:")
        draft.add("chart export", "code", level=1)

    shown = choose(QUESTION, manual, favouring("own tool", "The tide"), most=1).extracts[0].shown
    assert shown.endswith(f"own tool.\n{leads_in}\ntide export --all") == is_shown


def test_one_of_several_pieces_of_code_is_not_shown() -> None:
    def manual(draft: Draft) -> None:
        draft.add("The tide table is exported by the harbour's own tool.")
        draft.add("It runs at night.")
        draft.add("tide export --all", "code")
        draft.add("Ropes are counted too.")
        draft.add("rope count", "code")

    found = choose(QUESTION, manual, favouring("exported"), most=1).extracts[0]
    assert found.shown == "The tide table is exported by the harbour's own tool."


def test_a_sentence_that_goes_on_behind_code_is_shown_to_its_end() -> None:
    def manual(draft: Draft) -> None:
        draft.add("If the lamp says:")
        draft.add("E7: no oil", "code", level=1)
        draft.add("then fill it with one of these:")
        draft.add("- whale oil", "item", level=1)
        draft.add("- rape oil", "item", level=1)
        draft.add("Lamps are of brass.")

    question = "The lamp says E7, what do I do?"
    (found,) = choose(question, manual, favouring("E7"), most=1).extracts
    assert found.shown == "If the lamp says:\nE7: no oil\nthen fill it with one of these:\n- whale oil\n- rape oil"
    assert found.quote.split() == found.shown.split()


def test_code_is_shown_above_what_speaks_of_it_in_the_middle_of_a_sentence() -> None:
    def manual(draft: Draft) -> None:
        draft.add("Give the port like this:")
        draft.add("tide serve --port 90", "code", level=1)
        draft.add("The number in this example is that of the pier.")

    found = choose("How do I set the number of the port?", manual, favouring("pier"), most=1).extracts[0]
    assert found.shown.startswith("Give the port like this:\ntide serve --port 90\nThe number")


@pytest.mark.parametrize("favoured", ["List the boats.", "all the boats of a fleet"])
def test_an_item_with_its_code_goes_before_the_list_of_items_without_it(favoured: str) -> None:
    def examples(draft: Draft) -> None:
        draft.add_heading(1, "Examples")
        for told in (
            "List the boats.",
            "List the piers.",
            "List the crew of a boat.",
            "Sort all the boats of a fleet.",
        ):
            draft.add(f"- {told}", "item", level=1)
            draft.add(f"fleet {told.split()[-1]} " + "\n".join(["name length draught harbour"] * 9), "code", level=2)

    found = choose("How do I list the boats?", examples, favouring_a_little(favoured), most=1).extracts[0]
    assert "fleet boats. name" in found.shown or "fleet fleet. name" in found.shown


@pytest.mark.parametrize(
    ("rest", "behind"),
    [
        ("Then do this:", " Then do this:\ntide export --all"),
        ("Ropes are of hemp. Tie them like this:", ""),
        ("Ropes are of hemp.", ""),
    ],
)
def test_code_is_shown_behind_the_sentence_of_its_paragraph_that_only_leads_into_it(rest: str, behind: str) -> None:
    said = "Make sure that the tide table is there."

    def manual(draft: Draft) -> None:
        draft.add(f"{said} {rest}")
        draft.add("tide export --all", "code", level=1)

    prose = next(one for one in passages(stored(manual)) if one.kind == "sentences" and one.shown.startswith(said))
    span = Span(prose.span.start, prose.span.start + len(said))
    assert with_code_behind(prose, span, said, 40)[1] == said + behind


def test_a_term_behind_the_code_that_prose_leads_into_is_not_shown_with_it() -> None:
    def manual(draft: Draft) -> None:
        draft.add("The tide table is exported like this:")
        draft.add("tide export --all", "code", level=1)
        draft.add("class Tide", "term")
        draft.add("To write a table of your own, begin with this one.")

    assert "The tide table is exported like this:\ntide export --all" in [one.shown for one in passages(stored(manual))]

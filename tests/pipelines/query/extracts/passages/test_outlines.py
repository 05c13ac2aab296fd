"""Headings that are the list that is asked for."""

import time
from dataclasses import replace

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.passages.list_forms import has_one_entry
from pipelines.query.extracts.passages.outlines import outlines_of
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, passages, stored


def boats(*titles: str, above: str = "Boat sails") -> StoredText:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, above)
        draft.add("A boat is nothing without its sails, and every harbour knows many of them.")
        for title in titles:
            draft.add_heading(2, title)
            draft.add("It is sewn of flax, and lasts ten years.")

    return stored(fill)


def shown(question: str, text: StoredText) -> list[str]:
    return [one.shown for one in outlines_of(question, [hit(text)], [text], TERMS)]


NAMED = ("Lug sail", "Gaff sail", "Square sail")


def test_headings_that_are_called_by_the_thing_are_the_list() -> None:
    found = choose("Which boat sails are there?", boats(*NAMED), favouring("many"))
    first = found.extracts[0]
    assert first.shown.endswith("\n- Lug sail\n- Gaff sail\n- Square sail")
    assert first.quote.endswith("\nSquare sail")
    assert first.headings == ("Boat sails",)


def test_headings_are_as_close_to_the_question_as_what_stands_below_them() -> None:
    found = choose("Which boat sails are there?", boats(*NAMED), favouring("flax"))
    assert found.extracts[0].shown == "- Lug sail\n- Gaff sail\n- Square sail"
    assert found.signals["similarity"] == 0.0


def test_headings_under_the_thing_alone_are_the_list() -> None:
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square")) == ["- Lug\n- Gaff\n- Square"]
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square", above="Types of boat sails"))
    assert shown("Which boat sails are there?", boats("Lug", "Gaff", "Square", above="Care of boat sails")) == []


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("How do I reef a boat sail?", NAMED),
        ("Which boat masts are there?", NAMED),
        ("Which boat sails are there?", NAMED[:2]),
        ("Which boat sails are there?", ("Sewing a sail", "Reefing a sail", "Drying a sail")),
        ("Which boat sails are there?", ("What is a sail?", "How old is a sail?", "Who sews a sail?")),
        ("Which boat sails are there?", tuple(f"Sail {number} sail" for number in range(30))),
        ("Which river sails are there?", NAMED),
        ("Which boat sails are there?", ("Usage example", "Overview", "Lug", "Gaff", "Requirements")),
        ("Which boat sails are there?", ("Intro", "Lug", "Gaff")),
        ("Which boat sails are there?", ("Lug", "More on the gaff", "Square")),
        ("Which boat sails does a dinghy need?", ("Dinghy sail", "Barge sail", "Yacht sail")),
        ("Which boat sails are there?", ("Flax sail", "Sewing boxes", "Drying racks")),
    ],
)
def test_other_headings_are_no_list(question: str, titles: tuple[str, ...]) -> None:
    assert shown(question, boats(*titles)) == []


def test_thousands_of_headings_are_read_in_no_time() -> None:
    text = boats(*(f"Sail {number}" for number in range(5_000)))
    began = time.process_time()
    assert shown("Which boat sails are there?", text) == []
    assert time.process_time() - began < 2


def test_things_are_listed_under_the_heading_that_names_all_of_them() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        for title in ("Reef points", "Types of sails", "Lockers"):
            draft.add_heading(2, title)
            draft.add("It is sewn of flax, and lasts ten years.")
            for kind in ("PENDING", "SET", "STRUCK") if title.startswith("Types") else ():
                draft.add_heading(3, kind)
                draft.add("This is the state of a boat's cloth.")

    assert shown("Which sails are there?", stored(fill)) == ["- PENDING\n- SET\n- STRUCK"]


def test_a_reference_lists_what_its_title_and_the_headings_above_it_name_together() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Boats")
        draft.add_heading(2, "Reference of sails")
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(3, kind)
            draft.add("It is sewn of flax, and lasts ten years.")

    text = stored(fill)
    assert shown("Which boat sails are there?", text) == ["- Lug\n- Gaff\n- Square"]
    assert shown("Which sails are there?", text) == ["- Lug\n- Gaff\n- Square"]
    assert shown("Which river sails are there?", text) == []
    assert shown("Which boats are there?", text) == []


def test_an_outline_is_read_if_it_shares_few_words_with_the_question() -> None:
    def fill(draft: Draft) -> None:
        for number in range(20):
            draft.add_heading(1, f"Repairs of boat sails in year {number}")
            draft.add("Boat sails of linen can have these repairs:")
            for repair in ("new linen for boat sails", "new rope for boat sails of linen"):
                draft.add(repair, "item", level=1)
        draft.add_heading(1, "Sails")
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(2, kind)
            draft.add("It is sewn of flax, and lasts ten years.")

    found = choose("What sails can boats of linen have?", stored(fill), favouring("Gaff"))
    assert found.extracts[0].shown.endswith("- Lug\n- Gaff\n- Square")


def test_headings_are_the_answer_where_all_things_of_a_kind_are_asked_for() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add("Sails are many, sails are old, and sails of one boat are sewn together by hand.")
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(2, kind)
            draft.add("It is sewn of flax, and lasts ten years.")

    def answer(question: str, reader: Reader) -> str:
        text = stored(fill)
        return Chooser(reader, TERMS).choose(question, [hit(text)], [text], 1).extracts[0].shown

    prose = Reader(lambda question, texts: np.array([3.0 * ("hand" in text) for text in texts]))
    assert answer("Which sails are there?", prose) == "- Lug\n- Gaff\n- Square"
    assert answer("Which sails are sewn by hand?", favouring("hand")).startswith("Sails are many")


def test_headings_are_left_out_where_a_table_says_more_of_the_same_things() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add_table([["Sail", "Use"], ["Lug", "by the sea"], ["Gaff", "on rivers"], ["Square", "on the ocean"]])
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(2, kind)
            draft.add("It is sewn of flax, and lasts ten years.")

    text = stored(fill)
    table = Reader(lambda question, texts: np.array([2.0 * ("ocean" in text) for text in texts]))
    found = Chooser(table, TERMS).choose("Which sails are there?", [hit(text)], [text], 2)
    assert "- Lug\n" not in "\n".join(one.shown for one in found.extracts)
    assert "Sail: Gaff; Use: on rivers" in found.extracts[0].shown


def test_where_one_of_the_headings_says_more_of_the_question_what_stands_under_it_answers() -> None:
    titles = ("Barge sails", "Yacht sails", "Raft sails")
    first = choose(
        "Which sails are there on barges?", boats(*titles, above="Sails"), favouring("flax"), most=1
    ).extracts[0]
    assert first.shown == "It is sewn of flax, and lasts ten years."
    assert first.headings[-1] == "Barge sails"


def test_headings_that_documents_on_other_things_have_too_are_no_list() -> None:
    aspects = ("Use", "Care", "Storage")
    sails, masts, later = boats(*aspects), boats(*aspects, above="Masts"), boats(*aspects)
    asked = "Which boat sails are there?"
    assert [*outlines_of(asked, [hit(sails)], [sails], TERMS)]
    others = [hit(sails, document_id="sails"), hit(masts, document_id="masts")]
    assert [*outlines_of(asked, others, [sails, masts], TERMS)] == []
    editions = [hit(sails, document_id="sails"), hit(later, document_id="later")]
    assert len([*outlines_of(asked, editions, [sails, later], TERMS)]) == 2


def test_editions_whose_only_headings_are_the_list_are_of_the_same_thing() -> None:
    def sails(draft: Draft) -> None:
        for title in ("Lug sail", "Gaff sail", "Square sail"):
            draft.add_heading(1, title)
            draft.add("It is sewn of flax, and lasts ten years.")

    texts = [stored(sails), stored(sails)]
    editions = [hit(text, document_id=str(number)) for number, text in enumerate(texts)]
    assert len([*outlines_of("Which sails are there?", editions, texts, TERMS)]) == 2


def lamps(draft: Draft, said: str = "Ebb lights three lamps.") -> None:
    draft.add_heading(1, "Lamps")
    draft.add("Light is dear on the pier.")
    draft.add_heading(2, "Available lamps")
    draft.add(said)
    draft.add("lamp.light()", "code")
    for name in ("PIER", "BUOY", "QUAY"):
        draft.add(name, "term")
        draft.add(f"Lights the {name.lower()} from dusk on. It is fed with oil.")
        draft.add("It burns all night, whatever the weather is like.")


def test_terms_below_a_heading_that_names_the_things_are_the_list_behind_what_leads_into_it() -> None:
    listed = "\n".join(f"- {one.upper()}: Lights the {one} from dusk on." for one in ("pier", "buoy", "quay"))
    assert shown("Which lamps does Ebb light?", stored(lamps)) == [f"Ebb lights three lamps.\n{listed}"]
    assert shown("Which lamps are there?", stored(lambda draft: lamps(draft, "Light is dear."))) == [listed]
    assert shown("Which ropes are there?", stored(lamps)) == []
    assert choose("Which lamps does Ebb light?", lamps, favouring("lamps"), most=1).extracts[0].shown.endswith(listed)


def test_identifiers_below_a_heading_of_the_things_are_all_of_them() -> None:
    titles = ("LugSail", "gaff_sail", "new_square_sail", "SpareSail")
    listed = "\n".join(f"- {title}" for title in titles)
    assert shown("Which boat sails are there?", boats(*titles, above="Built-in boat sails")) == [listed]


def test_a_class_with_its_members_is_a_list_of_one_entry() -> None:
    def manual(draft: Draft, *classes: str) -> None:
        draft.add("These are the colours of lamps.")
        for name in classes:
            draft.add(f"class {name}", "term")
            draft.add("What all lamp colours have in common.", "definition", level=1)
            draft.add("RED", "term", level=1)
            draft.add("Shown to port.", "definition", level=2)

    one, two = stored(lambda draft: manual(draft, "Colours")), stored(lambda draft: manual(draft, "Colours", "Lights"))
    assert any(map(has_one_entry, passages(one)))
    assert not any(has_one_entry(each) for each in passages(two) if each.kind == "definition")


def test_names_with_an_article_are_called_by_the_thing() -> None:
    found = shown("Which boat sails are there?", boats("The lug sail", "The gaff sail", "The square sail"))
    assert found == ["- The lug sail\n- The gaff sail\n- The square sail"]
    assert shown("Which boat sails are there?", boats("The sail", "The sail", "The sail")) == []


def test_a_word_of_what_stands_above_the_names_tells_none_of_them_apart() -> None:
    text = boats("Lug", "Other barge", "Square", above="Sails")
    assert shown("Which sails are there for barges?", text) == []
    named = replace(hit(text), source="barges/sails.md")
    found = [one.shown for one in outlines_of("Which sails are there for barges?", [named], [text], TERMS)]
    assert found == ["- Lug\n- Other barge\n- Square"]


def test_names_come_before_much_closer_prose_that_says_none_of_the_things() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add("Sails of boats make use of the wind, and are sewn by hand.")
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(2, kind)
            draft.add("It is made of flax.")

    text = stored(fill)
    close = Reader(lambda question, texts: np.array([10.0 * ("wind" in text) - 1.0 for text in texts]))
    (extract,) = Chooser(close, TERMS).choose("What sails are there?", [hit(text)], [text], 1).extracts
    assert extract.shown == "- Lug\n- Gaff\n- Square"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which sails does Ebb offer?", "- Lug\n- Gaff\n- Square"),
        ("Which sails does Ebb mend?", "Sails of boats make use of the wind, and are sewn by hand."),
    ],
)
def test_names_need_not_say_whose_they_are(question: str, first: str) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add("Sails of boats make use of the wind, and are sewn by hand.")
        for kind in ("Lug", "Gaff", "Square"):
            draft.add_heading(2, kind)
            draft.add("It is made of flax.")

    text = stored(fill)
    close = Reader(lambda question, texts: np.array([10.0 * ("wind" in text) - 1.0 for text in texts]))
    (extract,) = Chooser(close, TERMS).choose(question, [hit(text)], [text], 1).extracts
    assert extract.shown == first

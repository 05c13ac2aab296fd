"""Headings that say what to do, subjects without capitals, and questions without a subject."""

from dataclasses import replace

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.subjects import names_side
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.definitions import definition_of
from pipelines.query.extracts.sections import NamedSections
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored

TERMS = Bm25Encoder(SparseSection()).terms


@pytest.mark.parametrize("heading", ["First Aid", "What to Do at Sea", "What you should do"])
def test_such_a_heading_answers_what_to_do(heading: str) -> None:
    assert NamedSections("My boat leaks, what should I do?", TERMS).names(heading)
    assert not NamedSections("Why does my boat leak?", TERMS).names(heading)


def test_a_name_with_its_words_in_full_beside_it_is_defined() -> None:
    asked = definition_of("What is TIDAL?")
    assert asked is not None
    assert asked.stands_in("TIDAL, the table of all landings, lists each boat.")
    assert not asked.stands_in("TIDAL, however slow at first, lists each boat.")


def test_a_side_of_nothing_is_no_subject() -> None:
    assert names_side("What about side effects?")
    assert not names_side("What about side effects? Ebbol")
    assert not names_side("What about herrings?")


def test_what_to_do_in_another_case_does_not_answer() -> None:
    def stings(draft: Draft) -> None:
        draft.add_heading(1, "Weevers in the harbour")
        draft.add("A weever hides in the sand and stings bare feet.")
        draft.add_heading(1, "What to do after a sting")
        draft.add("Hold the foot in hot water.")

    def cramps(draft: Draft) -> None:
        draft.add_heading(1, "Cramps in the harbour")
        draft.add("Swimmers have cramps in cold water.")
        draft.add_heading(1, "What to do")
        draft.add("Lie on your back and stretch the leg.")

    texts = [stored(stings), stored(cramps)]
    hits = [replace(hit(text), document_id=f"d{number}") for number, text in enumerate(texts)]
    question = "What should I do if a weever stings me in the harbour?"
    found = Chooser(favouring_a_little("stretch"), TERMS).choose(question, hits, texts, 1)
    assert found.extracts[0].shown == "Hold the foot in hot water."

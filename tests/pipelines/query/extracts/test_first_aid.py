"""Headings that say what to do, subjects without capitals, and questions without a subject."""

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.subjects import names_side
from pipelines.query.extracts.language.definitions import definition_of
from pipelines.query.extracts.sections import NamedSections

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

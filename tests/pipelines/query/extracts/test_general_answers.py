"""Questions about none of the named things, beside passages that are about one."""

import pytest

from pipelines.profile.synonyms import Synonyms
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.lexicon import Lexicon
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored

LEXICON = Lexicon(names=[Synonyms(("Ketch",), ()), Synonyms(("Yawl",), ())])
OF_ONE = "Oil the deck every week, for its teak is old."
OF_ALL = "A deck is oiled twice a year."


def boats(draft: Draft) -> None:
    draft.add_heading(1, "Boats")
    draft.add_heading(2, "The ketch")
    draft.add(OF_ONE)
    draft.add_heading(2, "Decks")
    draft.add(OF_ALL)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How often do I oil the deck?", OF_ALL),
        ("How often do I oil the deck of a ketch?", OF_ONE),
        ("Which decks are oiled?", OF_ONE),
    ],
)
def test_a_passage_on_one_named_thing_comes_after_what_is_said_of_all(question: str, first: str) -> None:
    text = stored(boats)
    found = Chooser(favouring_a_little("teak"), TERMS, LEXICON).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown == first

import pytest

from pipelines.query.extracts.passages import Passage
from pipelines.query.extracts.unasked import unasked
from tests.pipelines.query.extracts.drafts import hit, stored


def lost(question: str, shown: str) -> float:
    text = stored(lambda draft: draft.add(shown))
    found = hit(text)
    return unasked(question, Passage(found, "sentences", found.span, shown, (), text, 0))


@pytest.mark.parametrize("shown", ["Info: Added in 25.0.0.", "New in version 2.4", "Deprecated since v3."])
def test_since_when_a_thing_exists_answers_questions_about_changes_alone(shown: str) -> None:
    assert lost("How long does a boat wait?", shown) > 0
    assert lost("How do I change the berth of a boat?", shown) > 0
    assert lost("Since when does a boat wait?", shown) == 0


@pytest.mark.parametrize("shown", ["Visit https://harbour.example/boats to see and try all boats of the harbour."])
def test_a_sentence_that_sends_to_an_address_answers_where_one_is_asked_for(shown: str) -> None:
    assert lost("What does the harbour do?", shown) > 0
    assert lost("Where are the pages of the harbour?", shown) == 0


@pytest.mark.parametrize(
    "shown", ["Added in 2.4: boats wait.", "The harbour is at https://harbour.example by the sea, with its boats."]
)
def test_what_says_more_loses_nothing(shown: str) -> None:
    assert lost("What does the harbour do?", shown) == 0

"""The order in which candidates are chosen."""

import pytest

from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.chosen import in_order
from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import hit, stored


def _anchors(draft: Draft) -> None:
    draft.add_heading(1, "Raising the anchor")
    draft.add("The crew raises the anchor with the capstan.")
    draft.add("Nobody raises the anchor alone.")
    draft.add("Its steps:")
    draft.add("- Turn the bar", "item", level=1)
    draft.add("- Lock the bar", "item", level=1)


def _order(question: str, first: float, second: float, of_list: float) -> list[str]:
    text = stored(_anchors)
    scores = {"The crew": first, "Nobody r": second, "Its step": of_list}
    passages = [one for one in passages_of([hit(text)], [text]) if one.kind != "item"]
    candidates = [Candidate(one, scores[one.shown[:8]]) for one in passages if one.shown[:8] in scores]
    return [one.passage.shown[:8] for one in in_order(question, candidates, 2.4)]


@pytest.mark.parametrize("question", ["How do I raise the anchor?", "Which steps are there?"])
def test_what_is_no_prose_comes_second_where_steps_or_a_list_are_asked_for(question: str) -> None:
    assert _order(question, 5, 4, 3) == ["The crew", "Its step", "Nobody r"]
    assert _order(question, 5, 4, 1) == ["The crew", "Nobody r"]
    assert _order(question, 4, 3, 5) == ["Its step", "The crew", "Nobody r"]


def test_other_questions_take_the_best() -> None:
    assert _order("Does the crew raise the anchor?", 5, 4, 3) == ["The crew", "Nobody r", "Its step"]

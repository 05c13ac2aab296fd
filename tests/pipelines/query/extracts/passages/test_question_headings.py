"""Lists of questions: each a heading, above an answer that may be a single word."""

import pytest

from pipelines.query.extracts.passages.passages import passages_of
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import hit, stored


@pytest.mark.parametrize("answer", ["No.", "Yes!", "42", "Not yet."])
@pytest.mark.parametrize(("heading", "answers"), [("May I bring a dog?", True), ("Bringing a dog", False)])
def test_a_word_is_a_passage_below_a_question_only(heading: str, answer: str, answers: bool) -> None:
    def faq(draft: Draft) -> None:
        draft.add_heading(1, heading)
        draft.add(answer)

    text = stored(faq)
    shown = [passage.in_context for passage in passages_of([hit(text)], [text])]
    assert shown == ([f"Guide > {heading}: {answer}"] if answers else [])

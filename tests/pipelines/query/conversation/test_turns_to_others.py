"""Questions that only name another thing of the same kind."""

import pytest

from pipelines.query.conversation.turns import transferred

NEEDS = "How much food does a seal need?"
LANDS = "When does the Harbour Club land herrings?"


def asked(question: str, *earlier: str) -> str | None:
    return transferred(question, earlier, lambda word: float(len(word)), {"ebbol", "tidol"}.__contains__)


@pytest.mark.parametrize(
    ("earlier", "question", "rewritten"),
    [
        ([NEEDS], "And a walrus?", "How much food does a walrus need?"),
        ([NEEDS], "What about an Arctic fox?", "How much food does an Arctic fox need?"),
        ([NEEDS, "And a walrus?"], "And a crab?", "How much food does a crab need?"),
        ([NEEDS, "How old does it get?"], "And a walrus?", "How old does it get? walrus"),
        ([LANDS], "And the Sailing School?", "When does the Sailing School land herrings?"),
        ([LANDS], "what about Nordby", "When does Nordby land herrings?"),
        (["How does ebbol work?"], "And tidol?", "How does tidol work?"),
    ],
)
def test_the_question_before_is_asked_of_the_other_thing(earlier: list[str], question: str, rewritten: str) -> None:
    assert asked(question, *earlier) == rewritten


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ([], "And a walrus?"),
        ([NEEDS], "And Nordby?"),
        ([NEEDS], "And side effects?"),
        ([NEEDS], "What about its age?"),
        ([NEEDS], "A walrus?"),
        ([LANDS], "And a walrus?"),
        (["Seals eat what?"], "And Nordby?"),
    ],
)
def test_another_kind_of_thing_is_a_side_of_the_subject(earlier: list[str], question: str) -> None:
    assert asked(question, *earlier) is None

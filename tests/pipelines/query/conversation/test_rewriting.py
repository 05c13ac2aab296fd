import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.answers import ConversationsSection
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.rewriting import Rewriter

TERMS = Bm25Encoder(SparseSection()).terms
REWRITER = Rewriter(ConversationsSection(), TERMS)
EXERCISE = "How much exercise does a beagle need?"


def rarity(word: str) -> float:
    return {"beagle": 5.0, "kennel": 4.0}.get(word, 0.5)


@pytest.mark.parametrize("told", ["We live in a small flat.", "We have a kennel. It is new.", "Mr. Reed asks this."])
def test_what_is_told_before_a_question_is_not_asked(told: str) -> None:
    assert REWRITER.asked(f"{told} {EXERCISE}", rarity) == EXERCISE


@pytest.mark.parametrize(
    "question", [EXERCISE, "We have a beagle. How much exercise does it need?", "Is it a beagle? How old is it?"]
)
def test_a_question_that_refers_to_what_is_told_is_asked_with_it(question: str) -> None:
    assert REWRITER.asked(question, rarity) == question


def test_a_question_of_few_words_is_asked_with_what_is_told() -> None:
    assert REWRITER.asked("We have a beagle. Which toys are there?", rarity) == "Which toys are there? beagle"
    assert REWRITER.asked("We are here. Which toys are there?", rarity) == "We are here. Which toys are there?"


def test_a_question_is_asked_with_what_names_a_thing_of_the_tenant() -> None:
    rewriter = Rewriter(ConversationsSection(), TERMS, is_name=lambda phrase: phrase.lower() in ("pug", "great dane"))
    for told in ("My pug limps.", "We have a Great Dane."):
        question = f"{told} Which tests are needed before an operation?"
        assert rewriter.asked(question, rarity) == question
    assert rewriter.asked(f"My cat limps. {EXERCISE}", rarity) == EXERCISE


@pytest.mark.parametrize("question", ["asdf qwer", "x", "...", "\N{SLIGHTLY SMILING FACE}", "?"])
def test_what_says_nothing_goes_on_from_nothing(question: str) -> None:
    def known(word: str) -> float:
        return {"beagle": 5.0, "x": 3.0}.get(word, 0.0)

    rewriter = Rewriter(ConversationsSection(), TERMS, is_word=lambda word: word in ("and", "colour"))
    assert rewriter.rewritten(question, [EXERCISE], known) is None
    assert rewriter.rewritten(f"{question} and colour", [EXERCISE], known) == f"{question} and colour beagle"

from collections.abc import Sequence

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.followup import judge_by_findings, with_subject
from tests.agreement.followups import followups

TERMS = Bm25Encoder(SparseSection()).terms
RARE = {
    "beagle": 5.0,
    "beagles": 5.0,
    "pug": 4.0,
    "exercise": 2.0,
    "need": 1.0,
    "live": 1.0,
    "tower": 6.0,
    "towers": 6.0,
    "Eiffel": 7.0,
    "spire": 9.0,
}
EXERCISE = "How much exercise does a beagle need?"


def rarity(word: str) -> float:
    return RARE.get(word, 0.5)


def flat(word: str) -> float:
    return {"beagles": 1.0, "pugs": 1.4}.get(word, 0.1)


def asked(question: str, *earlier: str) -> str | None:
    return with_subject(question, earlier, TERMS, rarity)


@pytest.mark.parametrize(
    "question", ["How long do they live?", "And its colour?", "What about pups?", "Life span", "Why now?", "it"]
)
def test_a_follow_up_gets_the_subject_of_the_question_before_it(question: str) -> None:
    assert asked(question, EXERCISE) == f"{question} beagle"


@pytest.mark.parametrize(
    "question",
    [
        "How high is the Eiffel tower?",
        "Which breeds of small dogs may be left alone at home in a flat without a garden?",
        EXERCISE,
        "Do beagles howl?",
    ],
)
def test_a_question_with_its_own_subject_is_not_rewritten(question: str) -> None:
    assert asked(question, "How much exercise does a pug need?" if "beagle" in question else EXERCISE) is None


def test_a_question_that_refers_back_gets_the_subject_though_it_is_long_or_has_rare_words() -> None:
    assert asked("Is it as tall as the Eiffel tower?", EXERCISE) == "Is it as tall as the Eiffel tower? beagle"
    long = "Which kinds of toys, walks, food and sleeping places do they like best in the winter months of the year?"
    assert asked(long, EXERCISE) == f"{long} beagle"


def test_an_older_question_counts_for_less_and_one_that_comes_up_again_for_more() -> None:
    age = "How long do they live?"
    assert asked(age, EXERCISE, "And a pug?") == f"{age} pug"
    assert asked(age, EXERCISE, "Do beagles howl?", "And a pug?") == f"{age} beagles"
    assert asked(age, EXERCISE, "Sleep?", "Sleep?", "Sleep?") == f"{age} Sleep"


def test_the_latest_question_that_leans_on_none_is_heard_however_long_ago_it_was_asked() -> None:
    assert asked("How long do they live?", EXERCISE, "Why?", "Why so?", "And then?") == "How long do they live? beagle"


@pytest.mark.parametrize(
    ("earlier", "question", "subject"),
    [
        (["And its tower?"], "How old is it?", "beagle"),
        (["What about its tower?"], "How high?", "beagle"),
        (["What about towers?"], "And its colour?", "beagle"),
        (["What about towers?"], "And their colour?", "towers"),
        (["And the tower?"], "How old are they?", "beagle"),
        (["And a tower?"], "How old are they?", "tower"),
        (["What about Eiffel?"], "How old are they?", "Eiffel"),
        (["And the tower?"], "How old is it?", "tower"),
        (["And the tower?"], "And the colour?", "tower"),
    ],
)
def test_a_side_of_the_subject_is_not_taken_for_it(earlier: list[str], question: str, subject: str) -> None:
    assert asked(question, EXERCISE, *earlier) == f"{question} {subject}"


def test_without_earlier_questions_or_words_in_them_nothing_is_added() -> None:
    assert asked("How long do they live?") is None
    assert asked("How long do they live?", "Why?", "?!", "") is None
    assert with_subject("Why?", [EXERCISE], TERMS, lambda _: 0.0) is None, "no document has any of the words"


def test_the_word_is_spelt_as_it_was_last_written() -> None:
    assert asked("And how tall?", "What is a beagle?", "Are beagles loud?") == "And how tall? beagles"


def test_of_a_page_that_was_pasted_before_a_question_only_the_end_is_looked_at() -> None:
    looked_up: list[str] = []
    page = " ".join(f"word{number}" for number in range(10_000))
    found = with_subject("Why?", [f"{page} {EXERCISE}"], TERMS, lambda word: looked_up.append(word) or rarity(word))
    assert found == "Why? beagle"
    assert len(looked_up) < 100


def test_the_subject_is_kept_in_nine_of_ten_turns_of_sixty_conversations() -> None:
    made = list(followups())
    assert len(made) == 120
    assert sum(one.kept for one in made) >= 0.9 * len(made)


@pytest.mark.parametrize(
    ("earlier", "question", "subject"),
    [
        ("Which tower is the highest?", "How old is it?", "Eiffel"),
        ("Why is the tower high?", "How old is it?", "tower"),
    ],
)
def test_a_name_in_an_answer_is_a_subject_if_it_was_asked_for(earlier: str, question: str, subject: str) -> None:
    answers = ["Eiffel is the name of it."]
    assert with_subject(question, [earlier], TERMS, rarity, answers=answers) == f"{question} {subject}"


def test_a_judge_decides_between_likely_subjects_by_what_they_find() -> None:
    earlier = ["Do beagles like pugs?"]
    question = "How long do they live?"
    assert with_subject(question, earlier, TERMS, flat) == f"{question} beagles"
    found = {f"{question} beagles": ["Beagles howl."], f"{question} pugs": ["Pugs snore.", "Pugs live long."]}

    def find(rewrite: str) -> list[str]:
        return found.get(rewrite, [])

    def scores(_: str, texts: Sequence[str]) -> list[float]:
        return [float("live" in text) for text in texts]

    judge = judge_by_findings(find, scores)
    assert with_subject(question, earlier, TERMS, flat, judge=judge) == f"{question} pugs"
    nothing = judge_by_findings(lambda _: [], scores)
    assert with_subject(question, earlier, TERMS, flat, judge=nothing) == f"{question} beagles"


@pytest.mark.parametrize(
    "question", ["What is a kennel?", "What are kennels?", "Who was Pavlov?", "\u72d7\u5403\u4ec0\u4e48\uff1f"]
)
def test_a_question_that_says_what_it_is_about_is_left_alone_though_its_words_are_common(question: str) -> None:
    assert asked(question, "How tall is the Eiffel tower?") is None


@pytest.mark.parametrize("question", ["What is the height?", "What are side effects?", "What is it?"])
def test_a_question_for_a_side_of_the_subject_gets_the_subject(question: str) -> None:
    assert asked(question, EXERCISE) == f"{question} beagle"


@pytest.mark.parametrize(
    "question",
    [
        "What is IT support?",
        "What does IT support do?",
        "Who pays for IT?",
        "Who leads the WHO?",
        "When is the spire closed this month?",
    ],
)
def test_a_name_that_is_spelt_like_a_pronoun_does_not_refer_back_nor_does_this_month(question: str) -> None:
    assert asked(question, EXERCISE) is None


@pytest.mark.parametrize(
    "question",
    [
        "HOW OLD IS IT?",
        "What is it?",
        "Does IT train it?",
        "Is it possible to train it?",
        "Is it easy to train?",
        "What is US policy on it?",
        "How tall is this tower?",
        "What does this cost?",
    ],
)
def test_a_pronoun_beside_a_name_or_among_capitals_refers_back(question: str) -> None:
    assert asked(question, EXERCISE) == f"{question} beagle"


def test_a_name_that_is_spelt_like_a_small_word_is_a_subject() -> None:
    def rare(word: str) -> float:
        return {"US": 3.0, "embargo": 2.0}.get(word, 0.0)

    assert with_subject("And then?", ["Who lifts the US embargo?"], TERMS, rare) == "And then? US"
    assert with_subject("And then?", ["Does it let us lift an embargo?"], TERMS, rare) == "And then? embargo"


@pytest.mark.parametrize("question", ["Why?", "But why not?", "How come?", "Why is that?"])
def test_why_alone_asks_for_the_reason_of_what_was_asked_last(question: str) -> None:
    assert asked(question, "What is a kennel?", EXERCISE, "And its colour?") == f"{question} {EXERCISE}"


def test_a_number_of_things_is_no_subject() -> None:
    assert with_subject("What should we pack?", ["Are 77 enough?"], TERMS, lambda word: float(word == "77")) is None

import re
from collections.abc import Sequence

import numpy as np

from pipelines.query.extractive import Extractor
from pipelines.types import Hit, Span

WORDS = ("beagle", "howl", "walk", "food", "cat")


def vectors(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors by which of a few words a text holds: near texts share words."""
    found = np.array([[float(word in text.lower()) for word in WORDS] + [0.1] for text in texts], dtype=np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def terms(text: str) -> frozenset[int]:
    return frozenset(hash(word) for word in re.findall(r"\w+", text.lower()))


def hit(content: str, start: int = 0, score: float = 0.8, title: str = "t") -> Hit:
    span = Span(start, start + len(content))
    return Hit("c", "d", 1, title, "s", content, {}, score, {}, span)


EXTRACTOR = Extractor(vectors, terms)


def test_the_sentence_that_answers_comes_first_with_its_place_in_the_document() -> None:
    content = "Cats sleep all day. A beagle needs a walk of an hour. Some like their food wet."
    (first, *_) = EXTRACTOR.extract("How long a walk does a beagle need?", [hit(content, start=100)], 3).extracts
    assert first.text == "A beagle needs a walk of an hour."
    assert content[first.span.start - 100 : first.span.end - 100] == first.text


def test_what_was_said_is_not_said_again() -> None:
    twice = [hit("A beagle needs a long walk each day."), hit("A beagle needs a long walk every day.")]
    assert len(EXTRACTOR.extract("Does a beagle need a walk?", twice, 3).extracts) == 1


def test_headings_rules_and_fragments_are_no_answers() -> None:
    content = "# The beagle and its walk\n\n---\n\n| --- | --- |\n\nBeagle walk.\n"
    assert EXTRACTOR.extract("beagle walk", [hit(content)], 3).extracts == ()


def test_sentences_without_blanks_are_answers() -> None:
    (found, *_) = EXTRACTOR.extract(
        "小猎犬每天需要多少运动?", [hit("# 小猎犬\n\n小猎犬每天需要60分钟的运动。")], 1
    ).extracts
    assert found.text == "小猎犬每天需要60分钟的运动。"


def test_no_more_sentences_than_asked_for() -> None:
    content = "A beagle can howl a lot. A beagle must walk a lot. A beagle eats food a lot."
    assert len(EXTRACTOR.extract("beagle howl walk food", [hit(content)], 2).extracts) == 2


def test_a_further_sentence_speaks_of_the_subject_that_question_and_title_name() -> None:
    hits = [
        hit("A beagle needs a walk of an hour.", title="Beagle"),
        hit("A boxer needs a walk of three hours.", title="Boxer"),
        hit("A hound such as the beagle likes a walk where it can howl.", title="Walks", score=0.7),
    ]
    found = EXTRACTOR.extract("How long a walk does a beagle need?", hits, 3).extracts
    assert [extract.hit.title for extract in found] == ["Beagle", "Walks"]


def test_what_is_told_of_a_title_that_the_question_names_comes_before_what_is_told_of_others() -> None:
    hits = [
        hit("A boxer needs a walk of three hours.", title="Boxer"),
        hit("It likes a walk of an hour.", title="Beagle"),
    ]
    (first,) = EXTRACTOR.extract("How long a walk needs the beagle?", hits, 3).extracts
    assert first.hit.title == "Beagle"


def test_any_sentence_may_follow_where_the_title_is_not_asked_about() -> None:
    hits = [
        hit("A beagle needs a walk of an hour.", title="Exercise"),
        hit("A boxer may howl on a walk.", title="Noise"),
    ]
    assert len(EXTRACTOR.extract("How long a walk does a dog need?", hits, 3).extracts) == 2


def test_no_hits_give_no_sentences() -> None:
    assert EXTRACTOR.extract("beagle", [], 3).extracts == ()


def test_the_head_of_a_table_is_no_answer_and_its_rows_are() -> None:
    content = "| Breed of dog | Daily walk |\n|---|---|\n| The beagle | A walk of an hour |\n"
    (only,) = EXTRACTOR.extract("beagle walk breed dog", [hit(content)], 3).extracts
    assert only.text == "| The beagle | A walk of an hour |"


def test_what_the_sentences_were_chosen_among_is_told() -> None:
    found = EXTRACTOR.extract("beagle walk", [hit("A beagle must walk. The cat is asleep. The food is cold.")], 1)
    assert found.extracts[0].cosine == found.closest
    assert found.spread > 0

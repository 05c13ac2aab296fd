"""The measures, against figures worked out by hand and against the definition written down a second time."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from math import log2
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.errors import DocumentNotFound
from pipelines.evaluation.metrics import (
    JudgedAnswer,
    answer_metrics,
    area_under_risk,
    auroc,
    calibration_chance,
    calibration_error,
    contains_gold,
    judge_answer,
    mean_scores,
    normalise,
    percentile,
    risk_coverage,
    score_rankings,
    token_f1,
)
from pipelines.types import AbstainReason, Answer, Citation, Span

NAMES = ["ndcg@10", "recall@10", "recall@100", "mrr@10", "hit@1", "hit@5"]


def test_graded_relevance_counts_with_linear_gain() -> None:
    scores = score_rankings({"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": ["c", "x", "a", "d"]})["q"]
    found = 1 / log2(2) + 3 / log2(4)
    best = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert scores["ndcg@10"] == pytest.approx(found / best)
    assert scores["recall@10"] == pytest.approx(2 / 3)
    assert scores["mrr@10"] == 1.0
    assert scores["hit@1"] == 1.0


def test_the_cut_lies_after_the_tenth_and_the_hundredth_document() -> None:
    ranking = [f"x{n}" for n in range(200)]
    ranking[9], ranking[10], ranking[99], ranking[100] = "at10", "at11", "at100", "at101"
    scores = score_rankings({"q": dict.fromkeys(("at10", "at11", "at100", "at101"), 1)}, {"q": ranking})["q"]
    assert scores["recall@10"] == 0.25
    assert scores["recall@100"] == 0.75
    assert scores["mrr@10"] == pytest.approx(0.1)
    assert scores["hit@1"] == 0.0
    late = score_rankings({"q": {"at11": 1}}, {"q": ranking})["q"]
    assert (late["ndcg@10"], late["mrr@10"]) == (0.0, 0.0)


@pytest.mark.parametrize("ranking", [["b", "a"], ["a", "b"]])
def test_the_order_of_the_ranking_decides_and_never_the_ids(ranking: list[str]) -> None:
    assert score_rankings({"q": {"a": 1}}, {"q": ranking})["q"]["hit@1"] == float(ranking[0] == "a")


def test_queries_without_relevant_documents_are_left_out() -> None:
    qrels = {"none": {"a": 0, "b": -1}, "empty": {}, "q": {"a": 1}}
    scores = score_rankings(qrels, {query: ["a"] for query in (*qrels, "unjudged")})
    assert list(scores) == ["q"]
    assert mean_scores(scores) == dict.fromkeys(NAMES, 1.0)


def test_a_query_that_found_nothing_scores_zero_and_counts_in_the_mean() -> None:
    scores = score_rankings({"q": {"a": 1}, "lost": {"a": 1}, "unasked": {"a": 1}}, {"q": ["a"], "lost": []})
    assert scores["lost"] == scores["unasked"] == dict.fromkeys(NAMES, 0.0)
    assert mean_scores(scores)["ndcg@10"] == pytest.approx(1 / 3)


def test_without_judgements_there_is_no_mean() -> None:
    assert score_rankings({}, {"q": ["a"]}) == {}
    assert mean_scores({}) == {}


def test_relevance_below_zero_is_as_good_as_none() -> None:
    scores = score_rankings({"q": {"a": 1, "spam": -2}}, {"q": ["spam", "a"]})["q"]
    assert scores["ndcg@10"] == pytest.approx(1 / log2(3))
    assert scores["recall@10"] == 1.0


def dcg(grades: list[int]) -> float:
    return sum(grade / log2(rank + 2) for rank, grade in enumerate(grades[:10]))


@settings(max_examples=200)
@given(
    grades=st.dictionaries(st.integers(0, 40), st.integers(0, 4), min_size=1, max_size=30),
    ranking=st.permutations(range(40)),
    depth=st.integers(0, 40),
)
def test_ndcg_is_what_its_definition_says(grades: dict[int, int], ranking: list[int], depth: int) -> None:
    qrels = {str(document): grade for document, grade in grades.items()}
    scores = score_rankings({"q": qrels}, {"q": [str(document) for document in ranking[:depth]]})
    if not any(grades.values()):
        assert scores == {}
        return
    found = dcg([grades.get(document, 0) for document in ranking[:depth]])
    assert scores["q"]["ndcg@10"] == pytest.approx(found / dcg(sorted(grades.values(), reverse=True)))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Norman, an Émigré's\tcat!", "norman émigrés cat"),
        ("A theatre in Athens", "theatre in athens"),
        ("1,066 (A.D.)", "1066 ad"),
        ("the", ""),
    ],
)
def test_text_is_normalised_as_squad_does(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_an_answer_contains_a_gold_answer_in_any_spelling_of_case_and_punctuation() -> None:
    assert contains_gold("They lived in the Kingdom of France.", ["Spain", "kingdom of france!"])
    assert not contains_gold("They lived in France.", ["Spain"])
    assert not contains_gold("They lived in France.", [])
    assert not contains_gold("They lived in the France.", ["the", "?"])


@pytest.mark.parametrize(
    ("text", "gold", "stands"),
    [
        ("It weighs 30 kg.", "3", False),
        ("It weighs 13 kg.", "3 kg", False),
        ("It weighs 3.5 kg.", "3", False),
        ("It weighs 3 kg.", "3", True),
        ("It takes 1,500 steps.", "1500", True),
        ("Beagles howl.", "beagle", True),
        ("\u6bcf\u5929\u9700\u898160\u5206\u949f", "60", True),
        ("We do not know.", "no", False),
        ("No, it does not.", "no", True),
        ("Educated dogs howl.", "cat", False),
        ("Cats purr.", "cat", True),
        ("Anti-IgE helps.", "IgE", True),
        ("\u4f7f\u7528sql\u67e5\u8be2", "SQL", True),
    ],
)
def test_a_number_or_a_short_word_is_right_only_as_a_whole(text: str, gold: str, stands: bool) -> None:
    assert contains_gold(text, [gold]) is stands


def test_token_f1_takes_the_best_gold_answer() -> None:
    # Three words given, two of them among the three of the gold answer: 2 * 2 / (3 + 3).
    assert token_f1("red green blue", ["green blue black", "white"]) == pytest.approx(2 / 3)
    assert token_f1("red red", ["red"]) == pytest.approx(2 / 3)
    assert token_f1("The Red.", ["a red"]) == 1.0
    assert token_f1("", ["red"]) == 0.0
    assert token_f1("red", []) == 0.0


TEXTS = {("doc", 1): "Cats purr. Dogs bark.", ("doc", 2): "Birds sing."}


def content(document_id: str, version: int) -> str:
    if (document_id, version) not in TEXTS:
        raise DocumentNotFound(document_id)
    return TEXTS[document_id, version]


def citation(number: int, quote: str, start: int, *, document_id: str = "doc", version: int = 1) -> Citation:
    return Citation(number, document_id, version, "chunk", "", "", quote, Span(start, start + len(quote)))


def answer(text: str, *citations: Citation, confidence: float = 0.5, reason: AbstainReason | None = None) -> Answer:
    return Answer(
        "id", "?", text, reason is not None, reason, confidence, citations, (), (), "extractive", False, False, 1, {}
    )


def test_a_citation_counts_when_it_quotes_the_version_it_names() -> None:
    good = [citation(1, "Cats purr.", 0), citation(2, "Dogs bark.", 11)]
    moved = citation(3, "Dogs bark.", 12)
    other_version = citation(4, "Cats purr.", 0, version=2)
    vanished = citation(5, "Cats purr.", 0, document_id="gone")
    empty = citation(6, "", 0)
    judged = judge_answer(answer("x", *good, moved, other_version, vanished, empty), ["x"], content)
    assert (judged.citations, judged.verbatim) == (6, 2)


def test_citation_numbers_are_not_part_of_an_answer() -> None:
    cited = answer("Cats purr [1]. Dogs [1, 2] bark【2】 in [3] rooms.", citation(1, "", 0), citation(2, "", 0))
    assert judge_answer(cited, ["purr dogs bark"], content).right
    assert not judge_answer(cited, ["1"], content).right
    assert judge_answer(cited, ["3"], content).right
    assert judge_answer(cited, ["x"], content).words == 7


def test_an_abstention_is_never_right() -> None:
    judged = judge_answer(
        answer("The documents do not tell.", confidence=0.1, reason="low_confidence"), ["tell"], content
    )
    assert (judged.right, judged.f1, judged.words, judged.abstained, judged.confidence) == (False, 0.0, 0, True, 0.1)


def test_an_abstention_shares_no_words_with_a_gold_answer_that_is_an_article_alone() -> None:
    assert judge_answer(answer("", reason="low_confidence"), ["A"], content).f1 == 0.0


def test_with_essay_gold_answers_a_quote_of_a_relevant_document_is_sound() -> None:
    essay, word = " ".join(["purring"] * 21), "purring"
    quoting = answer("Cats purr [1].", citation(1, "Cats purr.", 0))
    assert judge_answer(quoting, [essay], content, relevant=["doc"]).sound
    assert not judge_answer(quoting, [essay], content, relevant=["other"]).sound
    assert not judge_answer(quoting, [word], content, relevant=["doc"]).sound
    assert not judge_answer(quoting, [], content, relevant=["doc"]).sound
    declined = answer("No.", citation(1, "Cats purr.", 0), reason="low_confidence")
    assert not judge_answer(declined, [essay], content, relevant=["doc"]).sound


def judged(confidence: float, *, right: bool = False, answerable: bool = True, abstained: bool = False) -> JudgedAnswer:
    words = 0 if abstained else 4
    return JudgedAnswer(answerable, abstained, confidence, right, float(right), words, 2, 1 + right, right)


def test_answers_are_measured_together() -> None:
    metrics = answer_metrics(
        [
            judged(0.9, right=True),
            judged(0.6),
            judged(0.2, abstained=True),
            judged(0.6, answerable=False),
            judged(0.1, answerable=False, abstained=True),
        ]
    )
    assert list(metrics) == [
        "answer_hit_rate",
        "token_f1",
        "answer_words",
        "citation_precision",
        "declined",
        "abstention_auroc",
        "calibration_error",
        "calibration_chance",
        "aurc",
    ]
    assert metrics["answer_hit_rate"] == metrics["token_f1"] == pytest.approx(1 / 3)
    assert metrics["answer_words"] == 4.0
    assert metrics["citation_precision"] == pytest.approx(6 / 10)
    assert metrics["declined"] == 0.5
    # Pairs of answerable and not: .9 wins twice, .6 ties and wins, .2 loses and wins.
    assert metrics["abstention_auroc"] == pytest.approx((2 + 1.5 + 1) / 6)
    # Given: .9 right alone in its bin, two times .6 wrong in another.
    assert metrics["calibration_error"] == pytest.approx((0.1 + 1.2) / 3)
    # Risks: 0 of the first, then .5 of two, then 2 of three.
    assert metrics["aurc"] == pytest.approx((0 + 1 / 2 + 2 / 3) / 3)


def test_undefined_measures_are_left_out() -> None:
    assert answer_metrics([]) == {}
    assert answer_metrics([judged(0.4, answerable=False)]) == {"declined": 0.0}
    assert "abstention_auroc" not in answer_metrics([judged(0.4)])
    silent = JudgedAnswer(True, True, 0.0, False, 0.0, 0, 0, 0, False)
    assert answer_metrics([silent]) == {"answer_hit_rate": 0.0, "token_f1": 0.0}


scored = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]) | st.floats(0, 1), st.booleans()), min_size=2)


@given(scored.filter(lambda pairs: len({positive for _, positive in pairs}) == 2))
def test_auroc_is_the_share_of_pairs_in_the_right_order(pairs: list[tuple[float, bool]]) -> None:
    positives = [score for score, positive in pairs if positive]
    negatives = [score for score, positive in pairs if not positive]
    won = [(high > low) + (high == low) / 2 for high, low in product(positives, negatives)]
    assert auroc([score for score, _ in pairs], [positive for _, positive in pairs]) == pytest.approx(
        sum(won) / len(won)
    )


def test_confidences_that_are_exactly_right_show_the_error_that_is_left_to_chance() -> None:
    chance = np.random.default_rng(0)
    confidences = list(chance.uniform(0.05, 0.95, 130))
    drawn = [calibration_error(confidences, [chance.random() < c for c in confidences]) for _ in range(400)]
    assert calibration_chance(confidences) == pytest.approx(fmean(drawn), rel=0.05)
    assert calibration_chance([0.0, 1.0]) == 0.0


def test_the_calibration_error_is_the_mean_gap_of_ten_bins_that_hold_equally_many() -> None:
    confidences = [n / 20 for n in range(20)]
    right = [n % 2 == 0 for n in range(20)]
    by_hand = [abs((confidences[n] + confidences[n + 1]) / 2 - 0.5) for n in range(0, 20, 2)]
    assert calibration_error(confidences, right) == pytest.approx(sum(by_hand) / 10)


def test_a_confidence_that_always_says_the_same_is_off_by_its_distance_from_the_truth() -> None:
    assert calibration_error([0.7] * 40, [True] * 10 + [False] * 30) == pytest.approx(0.45)
    assert calibration_error([0.25] * 40, [True] * 10 + [False] * 30) == pytest.approx(0.0)


@given(scored.flatmap(lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))))
def test_the_calibration_error_lies_in_0_to_1_and_does_not_depend_on_the_order(
    orders: tuple[list[tuple[float, bool]], list[tuple[float, bool]]],
) -> None:
    first, second = (calibration_error([c for c, _ in pairs], [right for _, right in pairs]) for pairs in orders)
    assert first == pytest.approx(second)
    assert 0 <= first <= 1


def test_percentiles_are_interpolated() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert percentile([float(n) for n in range(101)], 0.95) == 95.0
    assert percentile([7.0], 0.95) == 7.0


def test_the_measures_library_is_loaded_only_when_something_is_measured() -> None:
    code = (
        "import sys, pipelines.evaluation.evaluate, pipelines.evaluation.report;"
        "sys.exit('ir_measures' in sys.modules or 'numpy' in sys.modules or 'pytrec_eval' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_risk_is_that_of_the_most_confident_answers() -> None:
    curve = risk_coverage([0.2, 0.9, 0.5], [False, True, True])
    assert [coverage for coverage, _ in curve] == pytest.approx([1 / 3, 2 / 3, 1])
    assert [risk for _, risk in curve] == pytest.approx([0, 0, 1 / 3])
    assert area_under_risk([0.2, 0.9, 0.5], [False, True, True]) == pytest.approx(1 / 9)


def test_answers_of_equal_confidence_share_their_risk_in_whatever_order_they_come() -> None:
    assert (
        risk_coverage([0.5, 0.5], [True, False]) == risk_coverage([0.5, 0.5], [False, True]) == [(0.5, 0.5), (1, 0.5)]
    )

from collections.abc import Sequence
from dataclasses import replace
from math import exp

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.profile.calibration import SIGNALS, Calibration, shipped_calibration
from pipelines.query.confidence import NOTHING_FOUND, Confidence, ConfidenceEstimate
from pipelines.query.extracts.extract import Extract, Extraction
from pipelines.types import Claim, Hit, Span

WEIGHTS = {
    "strength": 2.0,
    "similarity": 0.5,
    "closest": 1.0,
    "spread": 4.0,
    "covered": 0.5,
    "absent": -1.5,
    "mismatch": -1.0,
    "brief": 0.5,
    "partial": -1.0,
    "unsupported": -2.0,
    "declined": -3.0,
}
CONFIDENCE = Confidence(Calibration(intercept=-1.0, weights=WEIGHTS))
SHIPPED = Confidence(shipped_calibration())


def hit(text: str, score: float) -> Hit:
    return Hit("c", "d", 1, "", "s", text, {}, score, {}, Span(0, len(text)))


def extraction(text: str, similarity: float) -> Extraction:
    one = hit(text, 0.8)
    signals = {"similarity": similarity, "closest": similarity, "spread": 0.25, "covered": 1.0}
    return Extraction((Extract(one, text, one.span, text),), signals)


def test_the_confidence_is_logistic_in_the_signals() -> None:
    sure = CONFIDENCE.of_evidence("Why do cats purr?", [hit("x", 0.3), hit("y", 0.6)], extraction("Cats purr.", 0.5))
    assert dict(sure.signals) == {
        **dict.fromkeys(SIGNALS, 0.0),
        "strength": 0.6,
        "similarity": 0.5,
        "closest": 0.5,
        "spread": 0.25,
        "covered": 1.0,
        "mismatch": 0.0,
        "brief": 0.6,
    }
    assert sure.confidence == pytest.approx(1 / (1 + exp(-(-1.0 + 1.2 + 0.25 + 0.5 + 1.0 + 0.5 + 0.3))))


def test_no_number_of_a_telephone_is_no_answer_to_a_question_for_one() -> None:
    question, sailmaker = "What is the phone number of Ostvik Sails?", "Ostvik Sails is on the second pier"
    assert CONFIDENCE.of_evidence(question, [hit("x", 0.6)], extraction(sailmaker, 0.5)) is NOTHING_FOUND
    found = extraction(f"{sailmaker}: 01632 960 150", 0.5)
    assert CONFIDENCE.of_evidence(question, [hit("x", 0.6)], found).confidence > 0.3


@pytest.mark.parametrize(
    ("question", "brief"), [("Why?", 0.5), ("Why do cats purr?", 0.5), ("Why do they purr at all?", 0.0)]
)
def test_strong_evidence_for_a_question_of_few_words_is_a_signal(question: str, brief: float) -> None:
    sure = CONFIDENCE.of_evidence(question, [hit("x", 0.5)], extraction("Cats purr.", 0.5))
    assert sure.signals["brief"] == brief


def test_without_hits_nothing_is_sure_and_hits_without_a_sentence_are_weak() -> None:
    assert CONFIDENCE.of_evidence("Why?", [], Extraction()) == NOTHING_FOUND
    weak = CONFIDENCE.of_evidence("Why?", [hit("x", 0.5)], Extraction())
    assert (weak.signals["closest"], weak.signals["mismatch"]) == (0.0, 1.0)


def sure(score: float, found: Extraction) -> ConfidenceEstimate:
    return CONFIDENCE.of_evidence("Why?", [hit("x", score)], found)


def test_a_near_extract_is_as_strong_as_a_near_hit() -> None:
    found = extraction("x", 0.5)
    near = replace(found, nearest=0.8)
    assert sure(0.5, near) == sure(0.8, found)
    assert sure(0.9, near) == sure(0.9, found)


def test_verdicts_on_what_a_model_wrote_lower_the_confidence_that_is_shipped() -> None:
    evidence = SHIPPED.of_evidence("Why do cats purr?", [hit("x", 0.7)], extraction("Cats purr.", 0.7))
    good, half, bad = (Claim("Cats purr.", (1,), verdict) for verdict in ("supported", "partial", "unsupported"))
    assert SHIPPED.of_writing(evidence, [good, good], declined=False) == evidence
    confidences = [
        SHIPPED.of_writing(evidence, claims, declined=False).confidence
        for claims in ([good], [good, half], [good, bad], [bad])
    ]
    assert confidences == sorted(confidences, reverse=True)
    assert SHIPPED.of_writing(evidence, [], declined=True).confidence < confidences[0]


def test_stronger_evidence_is_surer_under_what_is_shipped() -> None:
    question = "Why do cats purr?"
    rising = [
        SHIPPED.of_evidence(question, [hit("x", score)], extraction("Cats purr.", score)).confidence
        for score in (0.0, 0.3, 0.6, 0.9, 1.0)
    ]
    assert rising == sorted(rising)
    assert rising[0] < 0.4
    assert rising[-1] > 0.7


def test_a_brief_question_is_not_made_up_for_where_what_it_names_is_absent() -> None:
    found = extraction("Cats purr.", 0.5)
    absent = Extraction(found.extracts, {**found.signals, "absent": 1.0})
    assert CONFIDENCE.of_evidence("Why do cats purr?", [hit("x", 0.6)], absent).signals["brief"] == 0.0


def test_a_brief_question_is_not_made_up_for_where_the_answer_is_off_the_subject() -> None:
    found = extraction("Cats purr.", 0.5)
    assert CONFIDENCE.of_evidence("Who feeds cats?", [hit("x", 0.6)], found).signals["brief"] == 0.0


def test_no_nearness_makes_up_for_another_figure_than_that_of_the_question() -> None:
    near = extraction("port: Ostvik; year: 2030; herring_t: 512", 9.0)
    found = [
        CONFIDENCE.of_evidence(f"herring landed in Ostvik in {year}", [hit("x", 0.9)], near).confidence
        for year in (2030, 2031)
    ]
    assert found[0] > 0.9
    assert found[1] < 0.4


def test_a_checker_reads_each_extract_and_all_together() -> None:
    read: list[list[str]] = []

    def check(_question: str, texts: Sequence[str]) -> npt.NDArray[np.floating]:
        read.append(list(texts))
        return np.array([len(text) for text in texts], np.float32)

    one, other = extraction("Cats purr.", 0.5), extraction("Dogs bark.", 0.5)
    both = Extraction((*one.extracts, *other.extracts), one.signals)
    weighed = Confidence(Calibration(intercept=-1.0, weights={**WEIGHTS, "checked": 0.1}), check=check)
    sure = weighed.of_evidence("Why do cats purr?", [hit("x", 0.6)], both)
    assert read == [["Cats purr.", "Dogs bark.", "Cats purr. Dogs bark."]]
    assert sure.signals["checked"] == 21
    plain = CONFIDENCE.of_evidence("Why do cats purr?", [hit("x", 0.6)], both)
    assert sure.confidence > plain.confidence
    assert plain.signals["checked"] == 0


def test_a_checker_reads_nothing_where_nothing_is_shown() -> None:
    def check(_question: str, _texts: Sequence[str]) -> npt.NDArray[np.floating]:
        raise AssertionError

    found = Extraction((), extraction("Cats purr.", 0.5).signals)
    sure = Confidence(shipped_calibration(), check=check).of_evidence("Why do cats purr?", [hit("x", 0.6)], found)
    assert sure.signals["checked"] == 0

from random import Random
from statistics import fmean

import pytest

from pipelines.errors import InvalidRequest
from pipelines.evaluation.calibrate import calibrate, calibration_summary, calibration_table, judged_answers
from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.metrics import JudgedAnswer, calibration_error
from pipelines.profile.calibration import OF_EVIDENCE, OF_WRITING, SIGNALS, Calibration

NOISE, *_ = (name for name in OF_EVIDENCE if name not in ("strength", "mismatch"))
"""A signal that tells nothing of the answers here, whatever signals there are."""
SHIPPED = Calibration(intercept=0.0, weights=dict.fromkeys(SIGNALS, -7.0))


def answers(seed: int, count: int = 200) -> list[tuple[str, JudgedAnswer]]:
    """Answers that are the likelier right the stronger their evidence is; most of the wrong ones have a mismatch."""
    random = Random(seed)
    found = []
    for number in range(count):
        strength = random.random()
        right = random.random() < strength
        signals = {
            **dict.fromkeys(SIGNALS, 0.0),
            "strength": strength,
            NOISE: random.random(),
            "mismatch": float(random.random() < (0.1 if right else 0.6)),
        }
        found.append((f"q{number}", JudgedAnswer(right, False, 0.5, right, 0.0, 4, 1, 1, right, signals)))
    return found


def test_weights_follow_the_answers_and_undetermined_ones_keep_their_defaults() -> None:
    pytest.importorskip("sklearn")
    fitted = calibrate({"one": answers(1)}, SHIPPED).calibration
    assert fitted.weights["strength"] > 1
    assert fitted.weights["mismatch"] < -1
    assert abs(fitted.weights[NOISE]) < 1
    assert [fitted.weights[name] for name in OF_WRITING] == [-7.0] * len(OF_WRITING)
    (source,) = fitted.fitted_on
    assert (source.dataset, source.questions) == ("one", 200)


def test_the_worth_is_that_on_questions_and_data_sets_that_were_not_fitted() -> None:
    pytest.importorskip("sklearn")
    calibrated = calibrate({"one": answers(1), "other": answers(2)}, SHIPPED)
    assert [(worth.dataset, worth.fitted_on) for worth in calibrated.worth] == [
        ("one", "other questions"),
        ("other", "other questions"),
        ("one", "the other data sets"),
        ("other", "the other data sets"),
    ]
    for worth in calibrated.worth:
        assert worth.abstention_auroc is not None
        assert worth.abstention_auroc > 0.75
        assert worth.calibration_error < 0.15
        assert 0 < worth.aurc < 0.4
    assert "one, fitted on the other data sets: abstention_auroc 0." in calibration_table(calibrated)
    left_out = [worth.calibration_error for worth in calibrated.worth if worth.fitted_on == "the other data sets"]
    assert calibrated.left_out_error == pytest.approx(fmean(left_out))
    summary = calibration_summary(calibrated)
    assert Calibration.model_validate(summary["calibration"]) == calibrated.calibration
    assert summary["worth"][0]["fitted_on"] == "other questions"


def test_a_data_set_counts_alike_whatever_its_length() -> None:
    pytest.importorskip("sklearn")
    short, long = answers(1, 100), answers(2, 400)
    alike = calibrate({"short": short, "long": long}, SHIPPED).calibration
    repeated = [(f"{copy}{query}", answer) for copy in range(4) for query, answer in short]
    assert calibrate({"short": repeated, "long": long}, SHIPPED).calibration.weights["strength"] == pytest.approx(
        alike.weights["strength"], abs=0.1
    )


def test_the_same_answers_give_the_same_calibration() -> None:
    pytest.importorskip("sklearn")
    assert calibrate({"one": answers(1)}, SHIPPED) == calibrate({"one": answers(1)}, SHIPPED)


def test_answers_of_one_kind_calibrate_nothing() -> None:
    right = [(query, answer) for query, answer in answers(1) if answer.sound]
    with pytest.raises(InvalidRequest, match=r"answers are right and 0 wrong, and at least 10 of each are needed"):
        calibrate({"one": right}, SHIPPED)


def test_answers_that_suffice_for_the_scale_alone_say_so() -> None:
    right = [(query, answer) for query, answer in answers(1) if answer.sound]
    wrong = [(query, answer) for query, answer in answers(1) if not answer.sound]
    with pytest.raises(InvalidRequest, match=r"at least 10 of each .* fit the scale alone \(--scale\)"):
        calibrate({"one": right + wrong[:5]}, SHIPPED)
    with pytest.raises(InvalidRequest) as caught:
        calibrate({"one": right + wrong[:4]}, SHIPPED)
    assert "--scale" not in str(caught.value)


def test_questions_without_results_are_left_out() -> None:
    (query, known), *_ = answers(1)
    nothing = JudgedAnswer(True, True, 0.0, False, 0.0, 0, 0, 0, False)
    rows = (QueryRow(query, "?", {}, judged=known), QueryRow("n", "?", {}, judged=nothing), QueryRow("s", "?", {}))
    assert judged_answers(Evaluation("one", "t", None, {}, rows, {}, ())) == [(query, known)]


def test_a_question_that_is_asked_again_stays_in_the_fold_of_the_first() -> None:
    (_, known), *_ = answers(1)
    asked = (("first", "Why?"), ("other", "How?"), ("again", " why? "))
    rows = tuple(QueryRow(name, text, {}, judged=known) for name, text in asked)
    found = judged_answers(Evaluation("one", "t", None, {}, rows, {}, ()))
    assert [name for name, _ in found] == ["first", "other", "first"]


def test_the_worth_is_of_other_questions_however_few_are_wrong() -> None:
    """The wrong answers are one question, asked again: the other folds hold none, so nothing is fitted to them."""
    pytest.importorskip("sklearn")
    overconfident = Calibration(intercept=3.0, weights=dict.fromkeys(SIGNALS, 0.0))
    evident, doubtful = ({**dict.fromkeys(SIGNALS, 0.0), "mismatch": mismatch} for mismatch in (0.0, 1.0))
    right = [(f"q{n}", JudgedAnswer(True, False, 0.5, True, 0.0, 4, 1, 1, True, evident)) for n in range(30)]
    wrong = [("same", JudgedAnswer(False, False, 0.5, False, 0.0, 4, 1, 1, False, doubtful))] * 10
    (worth,) = calibrate({"one": right + wrong}, overconfident).worth
    assert worth.calibration_error > 0.2


def test_a_scale_that_no_profile_takes_is_not_recommended() -> None:
    pytest.importorskip("sklearn")
    upside_down = Calibration(intercept=1.0, weights={**dict.fromkeys(SIGNALS, 0.0), "strength": -2.0})
    calibrated = calibrate({"one": answers(1)}, upside_down, scale=True)
    assert not calibrated.is_usable
    assert "no scale for the profile: right answers do not have the higher confidence" in calibration_table(calibrated)


def test_the_scale_alone_is_fitted_to_few_answers() -> None:
    pytest.importorskip("sklearn")
    shipped = Calibration(intercept=-9.0, weights={**dict.fromkeys(SIGNALS, 0.0), "strength": 2.0})
    few = answers(3, 60)
    calibrated = calibrate({"few": few}, shipped, scale=True)
    assert calibrated.calibration.weights["strength"] > 2
    assert calibrated.calibration.weights["mismatch"] == 0
    (worth,) = calibrated.worth
    assert worth.calibration_error < 0.25
    intercept, slope = calibrated.scale or (0, 0)
    assert intercept > 0
    assert slope > 1
    assert f"{{intercept: {intercept}, slope: {slope}}}" in calibration_table(calibrated)
    off = [shipped.confidence(answer.signals) for _, answer in few]
    assert calibration_error(off, [answer.sound for _, answer in few]) > 0.3


def test_the_scale_takes_five_answers_of_each_kind() -> None:
    pytest.importorskip("sklearn")
    right = [(name, answer) for name, answer in answers(1) if answer.sound]
    wrong = [(name, answer) for name, answer in answers(1) if not answer.sound]
    with pytest.raises(InvalidRequest, match="at least 5"):
        calibrate({"one": right + wrong[:4]}, SHIPPED, scale=True)
    assert calibrate({"one": right + wrong[:5]}, SHIPPED, scale=True).calibration.weights

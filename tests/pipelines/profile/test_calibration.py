import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.calibration import (
    SIGNALS,
    Calibration,
    calibration_problems,
    read_calibration,
    shipped_calibration,
)
from pipelines.profile.loader import load_profile

GOOD: dict[str, Any] = {"version": 4, "intercept": 0.5, "weights": dict.fromkeys(SIGNALS, 1.0)}


def problem(folder: Path, text: str) -> str:
    """What is wrong with a calibration, as the check of its profile says it."""
    (folder / "c.json").write_text(text, encoding="utf-8")
    (folder / "profile.yaml").write_text("answer: {calibration: c.json}")
    (said,) = calibration_problems(load_profile(folder))
    return str(said)


def test_a_profile_names_its_calibration(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(GOOD))
    (tmp_path / "profile.yaml").write_text("answer: {calibration: c.json}")
    loaded = load_profile(tmp_path)
    assert calibration_problems(loaded) == []
    assert read_calibration(loaded).intercept == 0.5


def test_the_shipped_calibration_weighs_every_signal_and_says_what_it_was_fitted_on(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("tenant: t")
    assert read_calibration(load_profile(tmp_path)) == shipped_calibration()
    assert list(shipped_calibration().weights) == list(SIGNALS)
    assert shipped_calibration().fitted_on


def test_a_misspelt_or_missing_signal_is_named(tmp_path: Path) -> None:
    weights = {**GOOD["weights"], "strenght": 1.0}
    said = problem(tmp_path, json.dumps({**GOOD, "weights": weights}))
    assert said.startswith(
        'answer -> calibration: c.json cannot be used: "strenght" is not a signal, did you mean "strength"?'
    )
    said = problem(tmp_path, json.dumps({**GOOD, "weights": {"strength": 1.0}}))
    assert "the weight of similarity, closest, spread, " in said


@pytest.mark.parametrize(
    "text", ["", "[]", '{"weights": {}}', json.dumps({**GOOD, "version": 1}), '{"intercept": NaN}']
)
def test_an_invalid_calibration_file_says_how_to_make_one(tmp_path: Path, text: str) -> None:
    said = problem(tmp_path, text)
    assert said.startswith("answer -> calibration: c.json")
    assert said.endswith("; run footnote calibrate to create a new one")


def test_a_file_that_is_missing_or_far_too_long_is_a_problem_of_the_profile(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("answer: {calibration: nowhere.json}")
    with pytest.raises(ProfileError, match=r"nowhere\.json does not exist"):
        read_calibration(load_profile(tmp_path))
    assert "too large for a calibration" in problem(tmp_path, " " * 100_001)


@pytest.mark.parametrize("intercept", [-1e6, 1e6])
def test_a_confidence_stays_in_bounds_whatever_the_weights(intercept: float) -> None:
    calibration = Calibration(intercept=intercept, weights=GOOD["weights"])
    assert calibration.confidence(dict.fromkeys(SIGNALS, 1.0)) == (intercept > 0)

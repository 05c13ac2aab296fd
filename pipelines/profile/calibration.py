"""Calibrations: weights of an answer's signals, in files.

The confidence is logistic in the signals: ``1 / (1 + exp(-(intercept + sum of weight * signal)))``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipelines.errors import Problem, ProfileError, nearest
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.sections.answers import AnswerSection

KEY = "answer -> calibration"
VERSION: Literal[4] = 4
"""Increased when a signal changes its meaning, which makes fitted coefficients useless."""

OF_CHOICE = {
    "similarity": "how well the first extract or its best part answers: the cross-encoder's logit, or the cosine to "
    "the question",
    "closest": "the largest of these among all passages that were read",
    "spread": "their standard deviation: small where no passage stands out",
    "covered": "share of the question's terms that the first extract holds with its headings, rare ones counting more",
    "absent": "1 where a name, an identifier or a figure of the question stands in none of the hits; else 0",
}
OF_SHOWN = {
    "checked": "the checker's logit for what is shown: how well it answers, read by itself; 0 without a checker",
}
OF_EVIDENCE = {
    "strength": "score of the best hit or, with a cross-encoder, the cosine of the sentence nearest to the question in "
    "the first extract if that is larger; in 0..1",
    **OF_CHOICE,
    **OF_SHOWN,
    "mismatch": "1 where the first extract lacks a name, a figure or a negation of the question, says the opposite of "
    "one of its words, or names nothing of the kind that is asked for",
    "brief": "strength where the question has at most four words, which no whole sentence is very close to, and what "
    "it names was found, without a mismatch; else 0",
}
OF_WRITING = {
    "partial": "share of the claims whose verdict is partial; 0 without a language model",
    "unsupported": "share of the claims whose verdict is unsupported; 0 without a language model",
    "declined": "1 where the language model said that it does not know",
}
SIGNALS = {**OF_EVIDENCE, **OF_WRITING}

_DEFAULTS = Path(__file__).parent / "defaults"
_MOST_BYTES = 100_000


class FittedOn(BaseModel):
    """A data set that a calibration was fitted on: how many questions, and how many of the answers were right."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    dataset: str
    questions: int
    right: int


class Calibration(BaseModel):
    """The weight of each signal."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    version: Literal[4] = VERSION
    intercept: float
    weights: Mapping[str, float]
    fitted_on: tuple[FittedOn, ...] = Field(default=())

    @model_validator(mode="after")
    def _weighs_every_signal(self) -> Self:
        for name in self.weights:
            if name not in SIGNALS:
                hint = nearest(name, SIGNALS)
                raise ValueError(f'"{name}" is not a signal' + (f', did you mean "{hint}"?' if hint else ""))
        if missing := [name for name in SIGNALS if name not in {**self.weights, **OF_SHOWN}]:  # those may be older
            raise ValueError(f"the weight of {', '.join(missing)} is missing")
        return self

    def score(self, signals: Mapping[str, float]) -> float:
        """Return the logit of the confidence."""
        return self.intercept + sum(weight * signals[name] for name, weight in self.weights.items())

    def scaled(self, intercept: float, slope: float) -> Calibration:
        """Return the calibration whose score is ``intercept + slope * score``."""
        weights = {name: round(slope * weight, 4) for name, weight in self.weights.items()}
        scaled = round(intercept + slope * self.intercept, 4)
        return Calibration(intercept=scaled, weights=weights, fitted_on=self.fitted_on)

    def confidence(self, signals: Mapping[str, float]) -> float:
        """Return the probability that an answer with these signals is right."""
        score = self.score(signals)
        return 1.0 / (1.0 + math.exp(-score)) if score > -700 else 0.0  # exp would overflow


def read_calibration(loaded: LoadedProfile) -> Calibration:
    """Read the calibration file that a profile names, relative to its folder, else the shipped one; as it scales it.

    Raises:
        ProfileError: It cannot be read, or is not a calibration.
    """
    calibration, problem = _read(loaded)
    if calibration is None:
        raise ProfileError(loaded.profile.tenant, (problem,))
    scale = loaded.profile.answer.scale
    return calibration if scale == type(scale)() else calibration.scaled(scale.intercept, scale.slope)


def calibration_problems(loaded: LoadedProfile) -> list[Problem]:
    """Return the problems of a profile's calibration."""
    calibration, problem = _read(loaded)
    return [problem] if calibration is None else []


def shipped_calibration(answer: AnswerSection | None = None) -> Calibration:
    """Return the default calibration; with a chooser or a checker, the signals mean other things."""
    return Calibration.model_validate_json(_shipped(answer or AnswerSection()).read_bytes())


def _shipped(answer: AnswerSection) -> Path:
    if answer.chooser is None:
        return _DEFAULTS / "calibration.json"
    return _DEFAULTS / ("calibration-cross-encoder.json" if answer.checker is None else "calibration-checked.json")


def _read(loaded: LoadedProfile) -> tuple[Calibration | None, Problem]:
    path = loaded.profile.answer.calibration
    file = _shipped(loaded.profile.answer) if path is None else loaded.folder / os.path.expanduser(path)
    advice = "run footnote calibrate to create a new one"
    try:
        if file.stat().st_size <= _MOST_BYTES:
            return Calibration.model_validate_json(file.read_bytes()), Problem(KEY, "")
        reason = f"is over {_MOST_BYTES:,} bytes, too large for a calibration"
    except FileNotFoundError:
        reason = "does not exist (relative to the profile)"
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = " -> ".join(str(step) for step in first["loc"])
        reason = f"cannot be used: {place}{': ' if place else ''}{first['msg'].removeprefix('Value error, ')}"
    return None, Problem(KEY, f"{file.name} {reason}; {advice}")

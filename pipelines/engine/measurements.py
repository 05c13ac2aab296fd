"""Measures profiles on data sets, each in a temporary data folder of its own: what tenants hold is not touched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipelines.engine import open_scratch
from pipelines.evaluation.calibrate import FittedCalibration, judged_answers, require_packages
from pipelines.evaluation.calibrate import calibrate as _fit
from pipelines.evaluation.compare import Comparison
from pipelines.evaluation.compare import compare as _compare
from pipelines.evaluation.datasets import CorpusDocument, Dataset, Query
from pipelines.evaluation.engines import fresh_profile, uncalibrated
from pipelines.evaluation.evaluate import Evaluation
from pipelines.evaluation.evaluate import evaluate as _evaluate
from pipelines.evaluation.finetuning import FinetunedEmbedding, finetuned_profile
from pipelines.evaluation.finetuning import finetune as _learn
from pipelines.evaluation.golden import open_dataset
from pipelines.evaluation.indexing import Report
from pipelines.profile.calibration import shipped_calibration
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import Mode

__all__ = ["Comparison", "CorpusDocument", "Dataset", "Evaluation", "FinetunedEmbedding", "FittedCalibration", "Query"]
__all__ += ["calibrate", "compare", "evaluate", "finetune"]

Profile = str | Path | Mapping[str, Any] | LoadedProfile
"""See `pipelines.open_engine`."""
Questions = Dataset | str | Path | None
"""A data set, the folder of one, or a file of golden questions; None for the profile's own golden questions."""


def evaluate(
    profile: Profile,
    dataset: Questions = None,
    *,
    mode: Mode | None = None,
    history: bool = False,
    progress: Report | None = None,
) -> Evaluation:
    """Measure a profile on a data set.

    Args:
        profile: The profile.
        dataset: What to index and to ask.
        mode: The legs to search; None for the profile's own.
        history: Whether follow-ups are asked as the engine understands them behind the earlier turns.
        progress: Called with the stage, how much of it is done, and the total where it is known.

    Raises:
        ProfileError: The profile cannot be used.
        InvalidRequest: The data set cannot be used.
    """
    loaded = _loaded(profile)
    asked = _dataset(loaded, dataset)
    fresh = fresh_profile(loaded, asked)
    return _evaluate(lambda: open_scratch(fresh), asked, mode=mode, history=history, progress=progress)


def compare(
    first: Profile,
    second: Profile,
    dataset: Questions = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    mode: Mode | None = None,
    history: bool = False,
    progress: Report | None = None,
) -> Comparison:
    """Measure two profiles on one data set, and say which is better and whether it could be chance.

    Without ``dataset`` the golden questions of the first are asked; see `evaluate`. ``names`` are shown.
    """
    loaded = _loaded(first), _loaded(second)
    asked = _dataset(loaded[0], dataset)
    one, other = (evaluate(each, asked, mode=mode, history=history, progress=progress) for each in loaded)
    return _compare(names, (one, other), (loaded[0].profile, loaded[1].profile))


def calibrate(
    profile: Profile, dataset: Questions = None, *, scale: bool = False, progress: Report | None = None
) -> FittedCalibration:
    """Fit the confidence of a profile's answers to a data set, which needs unanswerable questions too.

    ``scale`` fits only the scale of the shipped calibration, for which some dozens of questions suffice.

    Write ``result.calibration`` to a file as JSON, and name that in the profile as ``answer -> calibration``.

    Raises:
        ProfileError: The profile cannot be used.
        InvalidRequest: Too few answers are right, or too few are wrong.
        MissingPackage: scikit-learn is not installed.
    """
    loaded = _loaded(profile)
    asked = _dataset(loaded, dataset)
    require_packages()
    fresh = uncalibrated(fresh_profile(loaded, asked))
    found = _evaluate(lambda: open_scratch(fresh), asked, searches=False, progress=progress)
    shipped = shipped_calibration(loaded.profile.answer)
    return _fit({found.dataset: judged_answers(found)}, shipped, scale=scale)


def finetune(profile: Profile, dataset: Questions = None, *, progress: Report | None = None) -> FinetunedEmbedding:
    """Learn an adapter of the embedding model from a data set: a linear map of the questions' vectors.

    Write ``result.adapter`` to a file with its method ``write`` if ``result.is_better``, and name that file in the
    profile as ``embedding -> adapter``. Documents are not embedded again.

    Raises:
        ProfileError: The profile cannot be used.
        InvalidRequest: There are fewer than 40 different questions with relevant documents, or the profile searches
            for words only.
    """
    loaded = _loaded(profile)
    asked = _dataset(loaded, dataset)
    fresh = finetuned_profile(fresh_profile(loaded, asked))
    return _learn(lambda: open_scratch(fresh), asked, progress)


def _loaded(profile: Profile) -> LoadedProfile:
    return profile if isinstance(profile, LoadedProfile) else load_profile(profile)


def _dataset(profile: LoadedProfile, dataset: Questions) -> Dataset:
    if isinstance(dataset, Dataset):
        return dataset
    return open_dataset(profile, None if dataset is None else Path(dataset))

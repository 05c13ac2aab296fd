"""``footnote calibrate``."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import AsJson, Data, FewQuestions, ProfileName
from app.commands.output import print_json, safe
from app.commands.own_documents import corpora, evaluations, holds_own_documents, whole
from app.commands.progress import progress_bar
from app.commands.targets import path_in_profile, require_own_file, write_whole, writing
from pipelines.engine import open_scratch
from pipelines.evaluation.calibrate import (
    Answered,
    FittedCalibration,
    calibration_summary,
    calibration_table,
    judged_answers,
    require_packages,
)
from pipelines.evaluation.calibrate import calibrate as fit
from pipelines.evaluation.datasets import Dataset
from pipelines.evaluation.engines import fresh_profile, uncalibrated
from pipelines.evaluation.evaluate import evaluate
from pipelines.evaluation.figures import degraded_line
from pipelines.evaluation.golden import open_dataset
from pipelines.evaluation.own.dataset import OwnDocuments
from pipelines.evaluation.own.measures import own_judged
from pipelines.evaluation.report import failed_lines
from pipelines.profile.calibration import shipped_calibration
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.sections.answers import ConfidenceScale
from pipelines.types import IngestResult

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def calibrate(
    profile: ProfileName,
    datasets: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATASET",
            exists=True,
            show_default=False,
            help="Folders of datasets or of own documents, or files of golden questions.",
        ),
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", dir_okay=False, help="Write the calibration there.")
    ] = None,
    scale: Annotated[
        bool,
        typer.Option("--scale", help="Fit only the scale of the shipped calibration; dozens of questions suffice."),
    ] = False,
    limit: FewQuestions = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Fit the confidence of answers to datasets.

    They should be like what the tenant is asked, and have questions that its documents do not answer. They are indexed
    in temporary data folders; the tenant's own data is not touched.
    """
    loaded = load_profile(profile)
    if out is not None:
        require_own_file("--out", out, "calibration", _holds_weights)
    require_packages()
    judged: defaultdict[str, Answered] = defaultdict(list)
    given = {dataset.resolve(): dataset for dataset in datasets}.values()
    # What cannot be read is refused before anything is measured.
    for measure in [_opened(loaded, dataset, limit) for dataset in given]:
        name, answers = measure()
        judged[name] += answers
        if warning := degraded_line(sum(answer.degraded for _, answer in answers), len(answers)):
            typer.echo(safe(f"footnote: {name}: {warning}: this fits the extracts in their place"), err=True)
    calibrated = fit(judged, shipped_calibration(loaded.profile.answer), scale=scale)
    written = out if calibrated.is_usable else None
    try:
        if written is not None:
            with writing("--out", written):
                write_whole(written, json.dumps(calibrated.calibration.model_dump(mode="json"), indent=2) + "\n")
    finally:
        if as_json:
            print_json(calibration_summary(calibrated))
        else:
            print(safe(calibration_table(calibrated)))
    if not as_json and calibrated.is_usable:
        for line in _advice(loaded, written, calibrated):
            print(safe(line))


def _holds_weights(file: Path) -> bool:
    """Return whether a file is a calibration, of this version or another."""
    try:
        held = json.loads(file.read_bytes())
    except ValueError:
        return False
    return isinstance(held, dict) and "weights" in held


def _advice(loaded: LoadedProfile, written: Path | None, calibrated: FittedCalibration) -> Iterator[str]:
    """What to change in the profile: a calibration that was fitted without its scale is wrong with it."""
    answer, scaled = loaded.profile.answer, calibrated.scale is not None
    if written is not None:
        instead = ", in place of answer -> scale" if scaled or answer.scale != ConfidenceScale() else ""
        named = path_in_profile(written, loaded.folder)
        yield f"written to {written}; for the profile: answer: {{calibration: {named}}}{instead}"
    elif scaled and answer.calibration is not None:
        yield "it scales the shipped calibration; remove answer -> calibration from the profile"


def _opened(loaded: LoadedProfile, dataset: Path, limit: int | None) -> Callable[[], tuple[str, Answered]]:
    """Read a dataset. Return what measures it: gives its name and the answers to it.

    A folder of several corpora of own documents is one dataset.
    """
    if holds_own_documents(dataset):
        return partial(_judged_own, loaded, dataset, corpora(dataset, limit))
    return partial(_judged, loaded, open_dataset(loaded, dataset, limit))


def _judged_own(loaded: LoadedProfile, dataset: Path, found: Sequence[OwnDocuments]) -> tuple[str, Answered]:
    own = whole(dataset, list(evaluations(uncalibrated(loaded), found)))
    _warn_of(own.dataset, own.failed)
    return own.dataset, own_judged(own)


def _judged(loaded: LoadedProfile, asked: Dataset) -> tuple[str, Answered]:
    fresh = uncalibrated(fresh_profile(loaded, asked))
    with progress_bar() as progress:
        found = evaluate(lambda: open_scratch(fresh), asked, searches=False, progress=progress)
    _warn_of(found.dataset, found.failed)
    return found.dataset, judged_answers(found)


def _warn_of(dataset: str, failed: Sequence[IngestResult]) -> None:
    for line in failed_lines(failed):
        typer.echo(safe(f"footnote: {dataset}: {line.strip()}"), err=True)

"""``footnote evaluate``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from app.commands.options import AsJson, Data, FewQuestions, History, ProfileName, ReportFolder, SearchMode
from app.commands.output import print_json, safe
from app.commands.own_documents import evaluate_folder, holds_own_documents
from app.commands.progress import progress_bar
from app.commands.targets import deliver, require_folder
from pipelines.engine.measurements import evaluate as measure
from pipelines.errors import InvalidRequest, Problem
from pipelines.evaluation.evaluate import Evaluation
from pipelines.evaluation.golden import open_dataset
from pipelines.evaluation.report import format_table, summary, write_report
from pipelines.profile.loader import load_profile
from pipelines.types import Mode

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def evaluate(
    profile: ProfileName,
    dataset: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATASET",
            exists=True,
            show_default=False,
            help="Folder of a dataset, of own documents or of a tenant, or a file of golden questions; "
            "else the profile's own golden questions.",
        ),
    ] = None,
    *,
    mode: SearchMode = None,
    limit: FewQuestions = None,
    history: History = False,
    report: ReportFolder = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Measure a profile on a dataset.

    It is indexed in a temporary data folder; the tenant's own data is not touched.
    """
    loaded = load_profile(profile)
    if report is not None:
        require_folder("--report", report)
    if dataset is not None and holds_own_documents(dataset):
        _refuse_ranking_options(mode, history)
        evaluate_folder(loaded, dataset, limit=limit, report=report, as_json=as_json)
        return
    asked = open_dataset(loaded, dataset, limit)
    with progress_bar() as progress:
        evaluation = measure(loaded, asked, mode=mode, history=history, progress=progress)
    deliver(report, partial(write_report, evaluation), partial(_show, evaluation, as_json))


def _show(evaluation: Evaluation, as_json: bool) -> None:
    if as_json:
        print_json(summary(evaluation))
    else:
        print(safe(format_table(evaluation)))


def _refuse_ranking_options(mode: Mode | None, history: bool) -> None:
    if mode is not None or history:
        option = "--history" if mode is None else "--mode"
        raise InvalidRequest(Problem(option, "own documents are always evaluated with the profile's mode"))

"""``footnote compare``."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from app.commands.options import AsJson, Data, Dataset, FewQuestions, History, ReportFolder, SearchMode
from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from app.commands.targets import deliver, require_folder
from pipelines.engine.measurements import compare as measure_both
from pipelines.evaluation.compare import Comparison
from pipelines.evaluation.comparison_report import comparison_summary, comparison_table, write_comparison
from pipelines.evaluation.golden import open_dataset
from pipelines.profile.files import require_files
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def compare(
    profile_a: Annotated[
        str, typer.Argument(metavar="PROFILE_A", show_default=False, help="The profile to compare with.")
    ],
    profile_b: Annotated[str, typer.Argument(metavar="PROFILE_B", show_default=False, help="The profile to judge.")],
    dataset: Dataset = None,
    *,
    mode: SearchMode = None,
    limit: FewQuestions = None,
    history: History = False,
    report: ReportFolder = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say which of two profiles is better on a dataset, and whether it could be chance.

    It is indexed in temporary data folders; the tenants' own data is not touched. Without DATASET the golden questions
    of PROFILE_A are asked.
    """
    first, second = load_profile(profile_a), load_profile(profile_b)
    require_files(profile_b, second)  # before the first is measured
    if report is not None:
        require_folder("--report", report)
    asked, names = open_dataset(first, dataset, limit), (profile_a, profile_b)
    with progress_bar() as progress:
        comparison = measure_both(first, second, asked, names=names, mode=mode, history=history, progress=progress)
    deliver(report, partial(write_comparison, comparison), partial(_show, comparison, as_json))


def _show(comparison: Comparison, as_json: bool) -> None:
    if as_json:
        print_json(comparison_summary(comparison))
    else:
        print(safe(comparison_table(comparison)))

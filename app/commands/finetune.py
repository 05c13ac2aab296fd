"""``footnote finetune``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from zipfile import BadZipFile, ZipFile

import typer

import pipelines
from app.commands.options import AsJson, Data, Dataset, FewQuestions, ProfileName
from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from app.commands.targets import path_in_profile, require_own_file, writing
from pipelines.evaluation.finetuning import finetuning_summary, finetuning_table
from pipelines.evaluation.golden import open_dataset
from pipelines.profile.adapter import ABOUT, MATRIX
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def finetune(
    profile: ProfileName,
    dataset: Dataset = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            dir_okay=False,
            help="Write the adapter there; default: adapter.npz by the profile.",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, hidden=True)] = None,  # its former name
    limit: FewQuestions = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Learn from judged questions to embed the tenant's questions closer to what answers them.

    The dataset is indexed in a temporary data folder; the tenant's own data is not touched. Golden questions, also
    those that `footnote feedback PROFILE export` writes, are such a dataset. The adapter is written only if it finds
    more on questions that it was not learned from, by more than chance.
    """
    loaded = load_profile(profile)
    file = out or output or loaded.folder / "adapter.npz"
    require_own_file("--out", file, "adapter", _is_adapter)
    asked = open_dataset(loaded, dataset, limit)
    with progress_bar() as progress:
        learned = pipelines.finetune(loaded, asked, progress=progress)
    if learned.is_better:
        with writing("--out", file):
            learned.adapter.write(file)
    if as_json:
        print_json({**finetuning_summary(learned), "written": str(file) if learned.is_better else None})
        return
    print(safe(finetuning_table(learned)))
    if learned.is_better:
        named = path_in_profile(file, loaded.folder)
        print(safe(f"written to {file}; for the profile: embedding: {{adapter: {named}}}"))


def _is_adapter(file: Path) -> bool:
    """Return whether a file is an adapter, of this version or another."""
    try:
        with ZipFile(file) as held:
            return {ABOUT, MATRIX} <= set(held.namelist())
    except BadZipFile:
        return False

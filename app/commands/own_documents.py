"""Evaluations on own documents, for the commands that take such a folder as DATASET."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from app.commands.targets import deliver
from pipelines.engine import open_engine, scratch_folder
from pipelines.evaluation.own.dataset import OwnDocuments, corpus_folders, load_own_documents
from pipelines.evaluation.own.report import own_summary, own_table, write_own_report
from pipelines.evaluation.own.run import OwnEvaluation, evaluate_own, together
from pipelines.profile.loader import LoadedProfile


def holds_own_documents(dataset: Path | None) -> bool:
    """Return whether a DATASET argument means own documents: one corpus or a folder of several."""
    return dataset is not None and dataset.is_dir() and bool(corpus_folders(dataset))


def corpora(dataset: Path, limit: int | None) -> list[OwnDocuments]:
    """Return every corpus in the folder."""
    return [load_own_documents(folder, limit) for folder in corpus_folders(dataset)]


def evaluations(loaded: LoadedProfile, found: Iterable[OwnDocuments]) -> Iterator[OwnEvaluation]:
    """Yield each corpus, measured in a temporary data folder."""
    for corpus in found:
        with scratch_folder() as data, progress_bar() as progress:
            yield evaluate_own(lambda profile, data=data: open_engine(profile, data), loaded, corpus, progress)  # type: ignore[misc]


def whole(dataset: Path, found: list[OwnEvaluation]) -> OwnEvaluation:
    """Return the evaluations of the folder's corpora as one, named after the folder where there are several."""
    return found[0] if len(found) == 1 else together(dataset.resolve().name, found)


def evaluate_folder(
    loaded: LoadedProfile, dataset: Path, *, limit: int | None, report: Path | None, as_json: bool
) -> None:
    """Measure a profile on every corpus in the folder, and print each and the total."""
    found: list[OwnEvaluation] = []
    for evaluation in evaluations(loaded, corpora(dataset, limit)):
        found.append(evaluation)
        if not as_json:
            print(safe(own_table(evaluation)), flush=True)
    total = whole(dataset, found)
    deliver(report, partial(_write, total, found), partial(_show, total, found, as_json))


def _show(total: OwnEvaluation, found: list[OwnEvaluation], as_json: bool) -> None:
    if as_json:
        print_json(_summary(total, found))
    elif len(found) > 1:
        print(safe(own_table(total)))


def _write(total: OwnEvaluation, found: list[OwnEvaluation], folder: Path) -> None:
    write_own_report(total, folder)
    for evaluation in found if len(found) > 1 else ():
        write_own_report(evaluation, folder / evaluation.dataset)


def _summary(total: OwnEvaluation, found: list[OwnEvaluation]) -> dict[str, Any]:
    corpora = [own_summary(evaluation) for evaluation in found]
    return corpora[0] if len(found) == 1 else {**own_summary(total), "corpora": corpora}

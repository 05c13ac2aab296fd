"""One evaluation in a process of its own, and what it measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.evaluation.own.dataset import corpus_folders


class EvaluationFailed(Exception):
    """``footnote evaluate`` ended with an error; says what it printed."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of a base on a data set, and the megabytes that the process held at most."""

    base: str
    dataset: str
    metrics: Mapping[str, float]
    megabytes: float


def datasets(root: Path, only: Collection[str] = ()) -> Iterator[Path]:
    """The folders that ``footnote evaluate`` can measure: with queries or with own documents."""
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        queries = folder / "queries.jsonl"
        is_asked = (queries.is_file() and queries.stat().st_size > 0) or bool(corpus_folders(folder))
        if is_asked and (not only or folder.name in only):
            yield folder


def measure(base: Path, dataset: Path, limit: int | None = None, report: Path | None = None) -> Measured:
    """Run ``footnote evaluate`` on a data set, and read what it measured.

    Raises:
        EvaluationFailed: It did not end with 0.
    """
    command = [sys.executable, "-m", "app.cli", "evaluate", str(base), str(dataset), "--json"]
    command += ["--limit", str(limit)] if limit is not None else []
    command += ["--report", str(report / base.stem / dataset.name)] if report is not None else []
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            raise EvaluationFailed(_last_line(errors.read()) or f"ended with {process.returncode}")
        metrics = json.load(out)["metrics"]
    return Measured(base.stem, dataset.name, metrics, used.ru_maxrss / 1024)  # Linux counts kilobytes


def _last_line(printed: str) -> str:
    """What a command says of its error, or the line that ends a trace."""
    return next(reversed(printed.strip().splitlines()), "")

"""``make evaluate``: the quality of each base on every data set of $FOOTNOTE_EVAL_DATA, as a table.

``python -m tests.quality [--only SET,...] [--bases FILE,...] [--limit N] [--report DIR]``. Each base and set is
measured by a ``footnote evaluate`` of its own, so that the memory is that of one. Ends with 1 where one failed.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from pipelines.engine import open_scratch
from pipelines.errors import MissingPackage, ModelMissing
from pipelines.profile.loader import load_profile
from tests.quality.measuring import EvaluationFailed, Measured, datasets, measure
from tests.quality.table import table

BASES = ("configs/embedded.yaml", "configs/quality.yaml")


def main() -> int:
    """Measure, print the table, and write it beside the reports where these are wanted."""
    options = _options()
    root = Path(os.environ.get("FOOTNOTE_EVAL_DATA", ""))
    if not os.environ.get("FOOTNOTE_EVAL_DATA") or not root.is_dir():
        sys.exit("set FOOTNOTE_EVAL_DATA to a folder of data sets")
    found: list[Measured] = []
    failures = 0
    for base in filter(_is_ready, options.bases):
        for dataset in datasets(root, options.only):
            try:
                found.append(measure(base, dataset, options.limit, options.report))
                print(f"{base.stem} {dataset.name}: done", file=sys.stderr, flush=True)
            except EvaluationFailed as error:
                failures += 1
                print(f"{base.stem} {dataset.name}: {error}", file=sys.stderr, flush=True)
    written = table(found)
    print(written)
    if options.report is not None:
        options.report.mkdir(parents=True, exist_ok=True)
        (options.report / "table.md").write_text(written + "\n", encoding="utf-8")
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make evaluate", description=__doc__)
    parser.add_argument("--only", type=_names, default=[], metavar="SET,...", help="of the folder's data sets")
    parser.add_argument("--bases", type=_paths, default=_paths(",".join(BASES)), metavar="FILE,...")
    parser.add_argument("--limit", type=int, metavar="N", help="ask only the first N questions of a set")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write table.md and the reports there")
    return parser.parse_args()


def _names(given: str) -> list[str]:
    return given.split(",")


def _paths(given: str) -> list[Path]:
    return [Path(name) for name in given.split(",")]


def _is_ready(base: Path) -> bool:
    """Whether the base can be opened on this machine; says why where it cannot."""
    if not base.is_file():
        print(f"{base}: skipped, there is no such profile", file=sys.stderr)
        return False
    try:
        with open_scratch(load_profile(base)):
            return True
    except (MissingPackage, ModelMissing) as error:
        print(f"{base}: skipped, {error.message}", file=sys.stderr)
        return False


if __name__ == "__main__":
    sys.exit(main())

"""See the package's docstring."""

from __future__ import annotations

import argparse
from pathlib import Path


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.checker")
    commands = parser.add_subparsers(dest="command", required=True)
    read = commands.add_parser("read", help="write what the model of answer.chooser reads for judged questions")
    for name in ("profile", "documents", "questions", "out"):
        read.add_argument(f"--{name}", type=Path, required=True)
    learn = commands.add_parser("learn", help="fit weights to what was read")
    learn.add_argument("files", type=Path, nargs="+")
    learn.add_argument("--out", type=Path, required=True)
    given = vars(parser.parse_args())
    if given.pop("command") == "read":
        from tests.quality.checker.reading import read as run
    else:
        from tests.quality.checker.learning import learn as run  # type: ignore[assignment]
    run(**given)


if __name__ == "__main__":
    main()

"""Takes the steps of the Dockerfile in a clean folder, without an engine, and asks what comes out.

    python -m tests.deploy.image FOLDER

It installs everything again, so it takes minutes. Packages of the system and users are not made.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PLACES = ("/opt/footnote", "/models", "/src", "/footnote", "/data")
_QUESTION = "How long do beagles run?"


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile, with their continued lines joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", "", lines).splitlines():
        name, _, rest = line.partition(" ")
        if name.isupper():
            yield name, rest.strip()


def placed(text: str, folder: Path) -> str:
    """A step with the image's folders in ``folder``."""
    for place in _PLACES:
        text = re.sub(rf"(?<![\w/.]){place}(?![\w])", str(folder) + place, text)
    return text


def build(folder: Path) -> dict[str, str]:
    """Take every step; return the environment of the image."""
    environment, here = {**os.environ, "PYTHONPATH": ""}, folder
    for place in _PLACES:
        (folder / place.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
    for name, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        step = placed(rest, folder)
        if name == "WORKDIR":
            here = Path(step)
            here.mkdir(parents=True, exist_ok=True)
        elif name == "ENV":
            pairs = (pair.partition("=")[::2] for pair in step.split())
            environment |= {key: value.replace("$PATH", environment["PATH"]) for key, value in pairs}
        elif name == "COPY" and not rest.startswith("--from"):
            _copy(step.split(), here)
        elif name == "RUN" and not rest.startswith("apt-get"):
            print(f"RUN {rest}", flush=True)  # noqa: T201
            subprocess.run(step, shell=True, check=True, cwd=here, env=environment)
    return environment


def _copy(parts: list[str], here: Path) -> None:
    for source in parts[:-1]:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, here / parts[-1], dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / source, here / parts[-1])


def ask(folder: Path, environment: dict[str, str]) -> str:
    """What the installed service answers from a document."""
    (folder / "t.yaml").write_text("tenant: t\n", encoding="utf-8")
    (folder / "dog.md").write_text("# Beagles\n\nBeagles run for an hour every day.\n", encoding="utf-8")
    for command in (["ingest", "./t.yaml", "dog.md"], ["ask", "./t.yaml", _QUESTION]):
        done = subprocess.run(
            [folder / "opt/footnote/bin/footnote", *command],
            check=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
    return done.stdout


def main(folder: Path) -> None:
    """Build in ``folder``, which must be empty, and ask."""
    folder.mkdir(parents=True)
    answer = ask(folder, build(folder.resolve()))
    print(answer)  # noqa: T201
    assert "Beagles run for an hour every day." in answer


if __name__ == "__main__":
    main(Path(sys.argv[1]))

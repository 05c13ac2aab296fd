"""Pages of the documentation: their blocks, and what runs them as a reader would."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.app.commands.processes import commands_folder

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: str, kind: str) -> list[str]:
    """The blocks of a page that are marked with ``kind``."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [body for marked, body in BLOCK.findall(text) if marked == kind]


def environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of a reader's shell: this interpreter's commands, data of its own.

    `footnote` is forked from a process that has imported everything, unless ``more`` says where packages are.
    """
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    if "PYTHONPATH" not in more:
        folders.insert(0, str(commands_folder()))
    return {**os.environ, "PATH": os.pathsep.join(folders), "FOOTNOTE_DATA": str(data), **more}


def shell(script: str, folder: Path, variables: dict[str, str]) -> str:
    """What a script printed; fails at its first command that does."""
    done = subprocess.run(
        ["/bin/bash", "-euo", "pipefail"],
        input=script,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def served(command: str, folder: Path, variables: dict[str, str]) -> Iterator[httpx.Client]:
    """A client of the server that the command line ``footnote serve ...`` starts, at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command.split(), "--port", str(port)], cwd=folder, env=variables)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
            for _ in range(600):
                try:
                    client.get("/readyz").raise_for_status()
                    break
                except httpx.HTTPError:
                    assert process.poll() is None, "the server ended"
                    time.sleep(0.1)
            yield client
    finally:
        process.terminate()
        process.wait(30)

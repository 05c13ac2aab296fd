"""`footnote` as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.fakes.on_server import VARIABLE

Process = subprocess.Popen[str]
_ROOT = Path(__file__).resolve().parents[3]
_FOOTNOTE = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits that it is ignored
sys.path.insert(0, {str(_ROOT)!r})
if {VARIABLE!r} in os.environ:
    from tests.fakes.on_server import redirect
    redirect()
from app.cli import main
main()
"""


def started(opened: ExitStack, folder: Path, *arguments: str, encoding: str = "utf-8") -> Process:
    """`footnote` in ``folder``, until ``opened`` is closed."""
    process = opened.enter_context(
        subprocess.Popen(
            [sys.executable, "-c", _FOOTNOTE, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
    )
    opened.callback(process.kill)
    return process


def said_until_ready(process: Process) -> str:
    """What a server prints until it is ready."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line == "ready\n":
            break
    return "".join(lines)


def address_of(said: str, tenant: str) -> str:
    """Where a server says that it serves a tenant."""
    found = re.search(rf"^{tenant}: (http://127\.0\.0\.1:\d+/tenants/{tenant})$", said, re.MULTILINE)
    assert found, said
    return found[1]


def ended(process: Process) -> tuple[int, str, str]:
    """The exit code of a process, and what it printed, once it has ended."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err

"""`footnote` as a process of its own."""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from tests.app.commands import fork_client
from tests.app.commands.fork_client import ForkedCommand

ROOT = Path(__file__).resolve().parents[3]


class Process(ForkedCommand):
    """`footnote` in a process of its own, whose output can be read; closing kills it."""

    def __init__(self, folder: Path, arguments: tuple[str, ...]) -> None:
        (out, out_end), (err, err_end), nothing = os.pipe(), os.pipe(), os.open(os.devnull, os.O_RDONLY)
        self.stdout, self.stderr = open(out, encoding="utf-8"), open(err, encoding="utf-8")  # noqa: SIM115
        try:
            super().__init__(fork_server(), arguments, str(folder), (nothing, out_end, err_end))
        finally:
            for descriptor in (nothing, out_end, err_end):
                os.close(descriptor)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """``kill -9``."""
        self.send_signal(signal.SIGKILL)

    def communicate(self) -> tuple[str, str]:
        """What is printed from now on, until the end."""
        errors: list[str] = []
        reader = Thread(target=lambda: errors.append(self.stderr.read()))
        reader.start()
        out = self.stdout.read()
        reader.join()
        return out, errors[0]

    def close(self) -> None:
        """Kill the process, and wait for it."""
        self.kill()
        self.wait()
        super().close()
        self.stdout.close()
        self.stderr.close()


@cache
def fork_server() -> str:
    """The socket of this process's fork server, which ends with it."""
    opened = ExitStack()
    atexit.register(opened.close)
    address = f"{opened.enter_context(TemporaryDirectory(prefix='footnote-'))}/fork"
    command = [sys.executable, "-m", "tests.app.commands.fork_server", address]
    server = opened.enter_context(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return address


@cache
def commands_folder() -> Path:
    """A folder for a shell's path: its `footnote` is forked from the fork server."""
    address = fork_server()
    script = Path(address).with_name("footnote")
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {fork_client.__file__} {address} "$@"\n')
    script.chmod(0o755)
    return script.parent


def started(opened: ExitStack, folder: Path, *arguments: str) -> Process:
    """`footnote` in ``folder``, until ``opened`` is closed."""
    process = Process(folder, arguments)
    opened.callback(process.close)
    return process


def started_alone(folder: Path, *arguments: str, encoding: str = "utf-8") -> tuple[int, str, str]:
    """The exit code of a `footnote` that an interpreter of its own runs, and what it printed."""
    program = "from app.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def said_until_ready(process: Process) -> str:
    """What a server prints until it is ready."""
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
    out, err = process.communicate()
    return process.wait(120), out, err

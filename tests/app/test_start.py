"""The console script, interrupted while it loads the command line and after that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SLOW = 'import time\nprint("loading", flush=True)\ntime.sleep(60)\n'


def test_an_interruption_before_the_command_line_is_loaded_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(SLOW, encoding="utf-8")
    # Processes in the background inherit that they ignore it.
    interruptible = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{interruptible}; from app.start import main; main()"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", program, "--version"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment
    ) as loading:
        assert loading.stdout is not None
        assert loading.stdout.readline() == "loading\n"
        loading.send_signal(signal.SIGINT)
        out, err = loading.communicate(timeout=60)
    assert (loading.returncode, out, err) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("handler", ["default_int_handler", "SIG_IGN"])
def test_commands_are_interrupted_as_before_or_ignore_it_as_before(handler: str) -> None:
    program = (
        f"import signal\nsignal.signal(signal.SIGINT, signal.{handler})\nfrom app.start import main\n"
        f"try:\n    main()\nexcept SystemExit:\n    print(signal.getsignal(signal.SIGINT) is signal.{handler})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[1:] == ["True"]

"""Which process holds a data folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.components.store.data_folder import held
from pipelines.errors import DataFolderHeld
from pipelines.types.holders import lock_holder, process_name

pytestmark = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="asks Linux's /proc")
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "ab")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_the_holder_of_a_lock_is_found_and_named_with_its_command_line(tmp_path: Path) -> None:
    assert lock_holder(tmp_path) is None
    (tmp_path / ".lock").touch()
    assert lock_holder(tmp_path) is None
    command = [sys.executable, "-c", HOLD, str(tmp_path / ".lock"), "x" * 100]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert lock_holder(tmp_path) == process.pid
        name = process_name(process.pid)
        assert name.startswith(f"process {process.pid} ({Path(sys.executable).name} -c ")
        assert name.isprintable()
        assert len(name) <= 90
        with (
            pytest.raises(DataFolderHeld, match=rf"^process {process.pid} \(.* holds the data folder "),
            held(tmp_path),
        ):
            pass
        process.kill()
    process.wait()
    assert process_name(process.pid) == f"process {process.pid}"

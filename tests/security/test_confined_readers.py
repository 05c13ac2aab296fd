"""A parser that is taken over by the file it reads reaches neither the network nor files of others."""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.errors import UnreadableDocument
from pipelines.reading.workers import ReaderPool, ReadingLimits

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"), reason="the kernel confines on Linux"
)
# Stands in the place of docutils. Where an attack succeeds it takes all memory, which the parent can tell from a crash.
PARSER = """
import ctypes, os, socket, subprocess

def succeeds(attack):
    try:
        attack()
    except OSError:
        return False
    return True

libc = ctypes.CDLL(None)
attacks = {
    "connect": lambda: socket.create_connection(("127.0.0.1", PORT), 1),
    "read": lambda: open(SECRET, "rb").read(),
    "list": lambda: os.listdir(os.path.dirname(SECRET)),
    "run": lambda: subprocess.run(["true"]),
    "environ": lambda: open(f"/proc/{os.getppid()}/environ", "rb").read(),
}
if succeeds(attacks[ATTACK]):
    raise MemoryError
if ATTACK == "connect" and libc.socket(2, 1, 0) >= 0:
    raise MemoryError
if ATTACK == "run" and libc.system(b"true") == 0:
    raise MemoryError
raise ValueError("confined")
"""


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("attack", ["connect", "read", "list", "run", "environ"])
def test_a_parser_that_is_taken_over_reaches_nothing(
    attack: str, listener: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "data" / "secret"
    secret.parent.mkdir()
    secret.write_bytes(b"of another tenant")
    parser = PARSER.replace("PORT", str(listener)).replace("SECRET", repr(str(secret))).replace("ATTACK", repr(attack))
    (tmp_path / "lib" / "docutils").mkdir(parents=True)
    (tmp_path / "lib" / "docutils" / "__init__.py").write_text(parser, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    pool = ReaderPool(ReadingLimits())
    try:
        with pytest.raises(UnreadableDocument) as refused:
            pool.read("Title\n=====\n\ntext", name="a.rst")
    finally:
        pool.close()
    assert refused.value.code != "document_too_costly", f"the parser could {attack}"


def test_a_confined_process_reads_its_code_and_no_other_data(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    program = (
        "from pipelines.reading.workers.confinement import confine; confine()\n"
        f"open({str(root / 'pipelines' / '__init__.py')!r}).close()\n"
        "import importlib, pkgutil, pipelines.reading, docutils.nodes, lxml.etree, olefile, pypdfium2, xlrd\n"
        "for module in pkgutil.walk_packages(pipelines.reading.__path__, 'pipelines.reading.'):\n"
        "    importlib.import_module(module.name)\n"
        f"try: open({str(root / 'README.md')!r})\n"
        "except PermissionError: print('refused')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert (ended.stdout, ended.stderr) == ("refused\n", "")


def test_an_installed_footnote_reads_what_needs_a_child(tmp_path: Path) -> None:
    """Neither its own folder nor the tests' is on the path of modules then."""
    program = (
        "from pipelines.reading.workers import ReaderPool, ReadingLimits\n"
        "print(ReaderPool(ReadingLimits()).read(b'ship,masts\\nFortuna,3\\n', name='ships.csv').text)"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Fortuna" in done.stdout, done.stderr

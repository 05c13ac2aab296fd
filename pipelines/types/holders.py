"""Which process holds a data folder, as the system tells it."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import shorten

_LOCKS = Path("/proc/locks")
_LOCK = ".lock"
_COMMAND_CHARS = 60


def lock_holder(folder: Path) -> int | None:
    """Return the process that holds the lock of ``folder``; None if there is none or the system does not say."""
    try:
        lock = (folder / _LOCK).stat()
        lines = _LOCKS.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    wanted = f"{os.major(lock.st_dev):02x}:{os.minor(lock.st_dev):02x}:{lock.st_ino}"
    for line in lines:  # 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1466425 0 EOF
        words = line.split()
        if words[1] == "FLOCK" and words[5] == wanted:
            return int(words[4]) or None  # 0: a process outside this namespace
    return None


def process_name(pid: int) -> str:
    """Return a process's number, and its command line if the system tells it."""
    command = _command_of(pid)
    return f"process {pid} ({command})" if command else f"process {pid}"


def _command_of(pid: int) -> str:
    """Return the command line of a process, shortened and printable; empty if the system does not say."""
    try:
        words_of = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    words = (Path(word).name if word.startswith("/") else word for word in words_of.split("\0"))
    command = shorten(" ".join(words), _COMMAND_CHARS, placeholder=" ...")
    return "".join(character if character.isprintable() else "?" for character in command)

"""Cuts a process that reads files off: from the network, from other programs, and from other people's files.

On Linux (x86-64 and 64-bit ARM) the kernel does so, for good: seccomp refuses system calls, Landlock the opening of
files outside the folders that Python and the parsers are in. Elsewhere Python's own sockets and programs are refused,
which stops a parser that is talked into a request, and not one that is broken into.
"""

from __future__ import annotations

import ctypes
import mimetypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SYSCALLS = {  # socket connect bind sendto sendmsg; execve execveat; ptrace, process_vm_*; io_uring_setup; pidfd_getfd
    "x86_64": (0xC000003E, (41, 42, 49, 44, 46, 59, 322, 101, 310, 311, 425, 438)),
    "aarch64": (0xC00000B7, (198, 203, 200, 206, 211, 221, 281, 117, 270, 271, 425, 438)),
}
_X32 = 0x40000000  # the bit of another table of system calls on x86-64
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001  # the second is EPERM
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_SYSTEM = ("/usr", "/lib", "/lib64", "/proc/self", "/dev/null", "/dev/urandom")
_SETTINGS = ("fonts", "ld.so.cache", "localtime", "nsswitch.conf", "passwd", "ssl/openssl.cnf", "timezone")
"""Of ``/etc``, which may hold secrets."""
_REFUSED_EVENTS = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.system", "os.fork")


def confine() -> None:
    """Confine this process with what the system offers."""
    sys.addaudithook(_refuse)
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return
    _allow_folders(libc, _readable_folders())
    _refuse_calls(libc)


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED_EVENTS):
        raise PermissionError(f"{event} is refused to a process that reads files")


def _refuse_calls(libc: ctypes.CDLL) -> None:
    """Have the kernel refuse sockets, other programs, and other processes' memory."""
    architecture, calls = _SYSCALLS.get(platform.machine(), (0, ()))
    if not calls:
        return
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 0, len(calls) + 2, architecture), (_LOAD, 0, 0, 0)]
    steps += [(_AT_LEAST, len(calls) + 1, 0, _X32)]
    steps += [(_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    described = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program))
    libc.prctl(_SECCOMP, _FILTER, ctypes.create_string_buffer(described), 0, 0)


def _readable_folders() -> list[Path]:
    """Return the system's libraries, Python's, and our own code; not the working folder, where data may be."""
    ours = Path(__file__).resolve().parents[3]
    settings = (*mimetypes.knownfiles, *(f"/etc/{name}" for name in _SETTINGS))
    found = [Path(place) for place in (*_SYSTEM, *settings, sys.prefix, sys.base_prefix)]
    found += [ours / "pipelines", ours / "app"]  # an editable installation has them on no path
    for place in filter(None, sys.path):
        path = Path(place).resolve()
        if path != ours or path.name.endswith("-packages"):  # else data may be beside them
            found.append(path)
    return [path for path in found if path.exists()]


def _allow_folders(libc: ctypes.CDLL, folders: Iterable[Path]) -> None:
    """Have the kernel open files for reading below ``folders`` only; kernels before 5.13 cannot."""
    handled = _READ_FILE | _READ_FOLDER
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.c_char_p(struct.pack("Q", handled)), ctypes.c_size_t(8), 0)
    if ruleset < 0:
        return
    for folder in folders:
        access = handled if folder.is_dir() else _READ_FILE
        opened = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        libc.syscall(_ADD_RULE, ruleset, 1, ctypes.c_char_p(struct.pack("=Qi", access, opened)), 0)
        os.close(opened)
    libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)

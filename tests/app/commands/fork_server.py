"""Makes processes of `footnote`: run with a socket, it imports everything once and then forks one for each request.

To import everything takes longer than most commands take for their work. A forked process differs from a started one
in that alone; that every command can be started is shown by the README's commands and those that tests start with
``python -m app.cli``.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from importlib import import_module

from app.cli import COMMANDS, main
from pipelines.components import lazy_packages
from tests.fakes.on_server import VARIABLE, redirect

_STREAMS = 3
_LIBRARIES = ("app.main", "uvicorn", "onnxruntime", "qdrant_edge", "tokenizers")


def _import_everything() -> None:
    lazy_packages.install()  # as `main` does first
    for name in (*(f"app.commands.{command}" for command in COMMANDS), *_LIBRARIES):
        import_module(name)
    gc.collect()
    gc.freeze()


def _serve(listener: socket.socket) -> bool:
    """Answer requests until standard input ends. Return whether this is a forked process, which is to run a command."""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(listener, select.POLLIN)
    running: dict[int, tuple[socket.socket, int]] = {}  # by the descriptors of their processes
    asking: dict[int, int] = {}  # descriptors of processes by those of their connections
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == 0:
                return False
            if descriptor == listener.fileno():
                connection, _ = listener.accept()
                pid = _forked(connection)
                if pid == 0:
                    return True
                process = os.pidfd_open(pid)
                running[process] = connection, pid
                asking[connection.fileno()] = process
                poll.register(process, select.POLLIN)
                poll.register(connection, select.POLLRDHUP)
            elif descriptor in asking:  # who asked is gone
                signal.pidfd_send_signal(asking[descriptor], signal.SIGKILL)
                poll.unregister(descriptor)
            elif descriptor in running:
                connection, pid = running.pop(descriptor)
                poll.unregister(descriptor)
                os.close(descriptor)
                _, status = os.waitpid(pid, 0)
                if asking.pop(connection.fileno(), None) is not None:
                    _unregister(poll, connection)
                _say(connection, os.waitstatus_to_exitcode(status))
                connection.close()


def _unregister(poll: select.poll, connection: socket.socket) -> None:
    with suppress(KeyError):  # who asked was gone before
        poll.unregister(connection)


def _say(connection: socket.socket, number: int) -> None:
    with suppress(OSError):  # who asked is gone
        connection.sendall(f"{number}\n".encode())


def _forked(connection: socket.socket) -> int:
    """Fork a process for the request of a connection. Return its id, or 0 in the process itself."""
    _, streams, _, _ = socket.recv_fds(connection, 1, _STREAMS)
    with connection.makefile("r") as lines:
        asked = json.loads(lines.readline())
    pid = os.fork()
    if pid == 0:
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        _become(**asked)
    else:
        _say(connection, pid)
    for stream in streams:
        os.close(stream)
    return pid


def _become(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv[1:] = arguments
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits that it is ignored
    if VARIABLE in os.environ:
        redirect()


def _run() -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(sys.argv[1])
        listener.listen()
        _import_everything()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        forked = _serve(listener)
    if forked:
        main()


if __name__ == "__main__":
    _run()

"""A gate on loopback before a server: shut, nobody listens there; open, it passes connections on; it can cut them."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_PIECE = 65536


class Gate:
    """Passes TCP connections on to a port of this machine; shut at first. ``port`` is where callers connect."""

    def __init__(self, target: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._target = target
        self._listener: socket.socket | None = None
        self._ends: list[socket.socket] = []

    def open(self) -> None:
        """Listen, and pass on what comes."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Refuse new connections, and cut those that are open."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self.cut()

    def cut(self) -> None:
        """End the open connections in the middle of what they carry."""
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            self._ends += [caller, server]
            for source, sink in ((caller, server), (server, caller)):
                threading.Thread(target=_pass, args=(source, sink), daemon=True).start()


def _pass(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE):
            sink.sendall(piece)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)

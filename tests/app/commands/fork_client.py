"""Asks a fork server for a command; run as a script with the server's socket, it stands for `footnote` in a shell.

It imports little, for it is started once for each command.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence


class ForkedCommand:
    """`footnote` in a process that a fork server made; closing the connection kills it."""

    def __init__(self, server: str, arguments: Sequence[str], folder: str, streams: Sequence[int]) -> None:
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(server)
        asked = {"arguments": [*arguments], "folder": folder, "environment": {**os.environ}}
        socket.send_fds(self._connection, [b"!"], [*streams])
        self._connection.sendall(json.dumps(asked).encode() + b"\n")
        self.pid = self._number()
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once the process has ended; negative for a signal."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            self.returncode = self._number()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code if the process has ended."""
        if self.returncode is None:
            self._connection.setblocking(False)
            try:
                ended = self._connection.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                return None
            finally:
                self._connection.setblocking(True)
            assert ended, "the fork server ended"
        return self.wait()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def close(self) -> None:
        """Close the connection, which kills the process."""
        self._connection.close()

    def _number(self) -> int:
        """The next line that the server says; nothing beyond it is read, so that `poll` sees it."""
        line = b""
        while not line.endswith(b"\n"):
            byte = self._connection.recv(1)
            assert byte, "the fork server ended"
            line += byte
        return int(line)


def main() -> None:
    """Run one command with the streams, folder and signals of this process, and end as it ends."""
    command = ForkedCommand(sys.argv[1], sys.argv[2:], os.getcwd(), (0, 1, 2))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: os.kill(command.pid, received))
    code = command.wait()
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main()

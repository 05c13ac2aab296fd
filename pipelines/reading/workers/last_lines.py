"""The end of what a process writes to a pipe."""

from __future__ import annotations

import threading
from typing import IO

_KEPT_BYTES = 4000
_PIECE = 2**16
_SECONDS_TO_END = 1


class LastLines:
    """Reads a pipe in a thread, so that its writer never waits, and keeps the last 4,000 bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = b""
        self._thread = threading.Thread(target=self._read, name="reader-stderr", daemon=True)
        self._thread.start()

    def text(self) -> str:
        """Return what was kept of a writer that has ended."""
        self._thread.join(_SECONDS_TO_END)  # longer only if the writer left a child that holds the pipe
        return self._kept.decode(errors="replace").strip()

    def _read(self) -> None:
        with self._stream as stream:
            while piece := stream.read1(_PIECE):  # type: ignore[attr-defined]
                self._kept = (self._kept + piece)[-_KEPT_BYTES:]

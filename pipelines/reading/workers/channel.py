"""Frames over a pair of pipes."""

from __future__ import annotations

from typing import IO

_LENGTH = 8
_PIECE = 2**20


class Channel:
    """Sends and receives frames: eight bytes of length, then as many bytes."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._source = source
        self._target = target

    def send(self, frame: bytes) -> None:
        """Send one frame.

        Raises:
            OSError: The other side is gone.
        """
        self._target.write(len(frame).to_bytes(_LENGTH, "big"))
        self._target.write(frame)
        self._target.flush()

    def receive(self, most: int | None = None) -> bytes | None:
        """Return the next frame; None where the other side is gone, or sends more than ``most`` bytes."""
        length = int.from_bytes(self._exactly(_LENGTH) or b"", "big")
        return None if not length or (most is not None and length > most) else self._exactly(length)

    def close(self) -> None:
        """Close both pipes."""
        for pipe in (self._source, self._target):
            try:
                pipe.close()
            except OSError:
                continue  # what the other side did not take

    def _exactly(self, length: int) -> bytes | None:
        pieces = []
        while length:
            piece = self._source.read(min(length, _PIECE))
            if not piece:
                return None
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

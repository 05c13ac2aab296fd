"""What a child is asked to do, and how both sides write their messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.reading.pictures import PictureBounds

_MOST_SECONDS = 300
PICTURE_SECONDS = 60
"""Of processor time, more for a file of which pictures are kept."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading one file may cost.

    Attributes:
        seconds: Processor time of the child for a small file.
        seconds_per_mb: What each MiB of the file adds to it, up to five minutes in all.
        memory_mb: Memory of the child in MiB, its own libraries included (about 100).
        processes: How many files are read at the same time.
        chars: Length of the text that comes out.
    """

    seconds: int = 15
    seconds_per_mb: int = 10
    memory_mb: int = 512
    processes: int = 2
    chars: int = 5_000_000

    def seconds_for(self, size: int) -> int:
        """Return the seconds of processor time that a file of ``size`` bytes may take."""
        return max(self.seconds, min(self.seconds + self.seconds_per_mb * size // 2**20, _MOST_SECONDS))


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read.

    Attributes:
        text: Whether its content is text and no bytes.
        ocr: The name of what recognises text, if anything does.
        seconds: The processor time that it may take.
        pictures: Which of its pictures are kept; None: none are read.
        pages_from: The page from which on its pages are read for another child; None: the whole file is read.
    """

    name: str | None
    media_type: str | None
    text: bool
    ocr: str | None
    seconds: int
    limits: ReadingLimits
    pictures: PictureBounds | None = None
    pages_from: int | None = None


@dataclass(frozen=True, slots=True)
class SharedPages:
    """Pages that one child read for another.

    Attributes:
        seconds: The processor time that they took.
    """

    packed: bytes
    seconds: float


def message(value: object) -> bytes:
    """Write a message as JSON; a lone surrogate becomes a question mark."""
    return json.dumps(value, default=_fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def job_of(frame: bytes) -> Job:
    """Return the job that a message holds."""
    fields: dict[str, Any] = json.loads(frame)
    bounds = fields["pictures"]
    pictures = None if bounds is None else PictureBounds(**bounds)
    return Job(**{**fields, "limits": ReadingLimits(**fields["limits"]), "pictures": pictures})


def _fields(value: Any) -> object:
    """Return a value object as JSON knows it; bytes are sent in frames of their own."""
    if isinstance(value, bytes):
        return value.decode("ascii")
    return dict(value) if isinstance(value, Mapping) else {name: getattr(value, name) for name in value.__slots__}

"""How large a request's body may be; measured while it is read, whatever it says of itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from app.http.errors import RequestTooLarge
from pipelines.profile.schema import Profile

_AROUND = 1024 * 1024  # what a body holds beside the text it is about, bytes
_WIDEST = 6  # bytes of a character in JSON, written as \uXXXX
BodyKind = Literal["asking", "looking", "bringing"]


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """Most bytes of a body sent to a tenant: of one that asks, shows an image, or brings documents.

    ``json`` is the limit of JSON, whatever it is for: more comes as a file.
    """

    asking: int
    looking: int
    bringing: int
    json: int

    @classmethod
    def of(cls, profile: Profile) -> BodyLimits:
        """Limits wide enough for those of the profile, which the core enforces by itself."""
        limits = profile.limits
        asking = limits.question_chars[1] * _WIDEST + _AROUND
        looking = asking + limits.image_bytes * 4 // 3
        text = limits.content_chars[1] * _WIDEST + _AROUND
        return cls(asking, looking, limits.file_bytes + _AROUND, max(text, looking))

    def of_kind(self, kind: BodyKind) -> int:
        """Return the limit of one kind of body."""
        return {"asking": self.asking, "looking": self.looking, "bringing": self.bringing}[kind]


async def limited(chunks: AsyncIterator[bytes], limit: int, declared: str | None) -> AsyncIterator[bytes]:
    """The chunks of a body; ``declared`` is its Content-Length, if it has one.

    Raises:
        RequestTooLarge: It says that it is over ``limit`` bytes, or turns out to be.
    """
    if declared is not None and declared.isdigit() and int(declared) > limit:
        raise RequestTooLarge(limit)
    seen = 0
    async for chunk in chunks:
        seen += len(chunk)
        if seen > limit:
            raise RequestTooLarge(limit)
        yield chunk

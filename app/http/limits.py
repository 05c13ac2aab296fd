"""How large a request's body may be; measured while it is read, whatever it says of itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Literal

from anyio import CancelScope, current_time

from app.http.errors import MalformedRequest, RequestTooLarge
from pipelines.errors import Problem
from pipelines.errors.sizes import readable_size
from pipelines.profile.schema import Profile

_AROUND = 1024 * 1024  # what a body holds beside the text it is about, bytes
_WIDEST = 6  # bytes of a character in JSON, written as \uXXXX
_GRACE_S = 30.0
_SLOWEST = 1024  # bytes of a body in a second, on average, once the grace is over
BodyKind = Literal["asking", "looking", "bringing"]


@dataclass(frozen=True, slots=True, order=True)
class BodyLimit:
    """Most bytes of a body; ``largest`` is what the profile's limit ``key`` allows in it, in words."""

    most: int
    largest: str
    key: str


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """Limits of bodies sent to a tenant: of one that asks, shows an image, or brings documents.

    ``json`` is the limit of JSON, whatever it is for: more comes as a file. Where JSON brings documents it is named
    after their text, though an image may be larger.
    """

    asking: BodyLimit
    looking: BodyLimit
    bringing: BodyLimit
    json: BodyLimit

    @classmethod
    def of(cls, profile: Profile) -> BodyLimits:
        """Limits wide enough for those of the profile, which the core enforces by itself."""
        limits = profile.limits
        asking = _of_text("question", limits.question_chars[1], "limits -> question_chars")
        image = f"an image of {readable_size(limits.image_bytes)}"
        looking = BodyLimit(asking.most + limits.image_bytes * 4 // 3, image, "limits -> image_bytes")
        text = _of_text("text", limits.content_chars[1], "limits -> content_chars")
        file = f"a file of {readable_size(limits.file_bytes)}"
        bringing = BodyLimit(limits.file_bytes + _AROUND, file, "limits -> file_bytes")
        return cls(asking, looking, bringing, replace(text, most=max(text.most, looking.most)))

    def of_kind(self, kind: BodyKind) -> BodyLimit:
        """Return the limit of one kind of body."""
        return {"asking": self.asking, "looking": self.looking, "bringing": self.bringing}[kind]


def _of_text(noun: str, chars: int, key: str) -> BodyLimit:
    return BodyLimit(chars * _WIDEST + _AROUND, f"a {noun} of {chars:,} characters", key)


async def limited(chunks: AsyncIterator[bytes], limit: BodyLimit, declared: str | None) -> AsyncIterator[bytes]:
    """The chunks of a body; ``declared`` is its Content-Length, if it has one.

    Raises:
        RequestTooLarge: It says that it is over ``limit``, or turns out to be.
        MalformedRequest: It comes in more slowly than `_SLOWEST`, and would hold its place among the workers.
    """
    if declared is not None and declared.isdigit() and int(declared) > limit.most:
        raise RequestTooLarge(limit.largest, limit.key, int(declared))
    seen, began = 0, current_time()
    while (chunk := await _next(chunks, began + _GRACE_S + seen / _SLOWEST)) is not None:
        seen += len(chunk)
        if seen > limit.most:
            raise RequestTooLarge(limit.largest, limit.key, None)
        yield chunk


async def _next(chunks: AsyncIterator[bytes], deadline: float) -> bytes | None:
    """Return the next chunk, None at the end of the body; it must come by ``deadline``, on the event loop's clock."""
    with CancelScope(deadline=deadline):
        return await anext(chunks, None)
    raise MalformedRequest(Problem("", "the body comes in too slowly; send it again over a faster connection"))

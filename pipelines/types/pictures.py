"""Pictures in documents: their files, and where a text speaks of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipelines.types.hits import PlacedPicture, Span


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a file: a PNG or a JPEG that Footnote wrote itself."""

    media_type: str
    content: bytes


def pictures_in(placed: Iterable[PlacedPicture], span: Span) -> tuple[PlacedPicture, ...]:
    """Return the pictures of a text whose blocks overlap ``span``."""
    return tuple(one for one in placed if one.span.start < span.end and span.start < one.span.end)


def written_pictures(placed: Iterable[PlacedPicture]) -> list[list[Any]]:
    """Return the places of pictures as JSON holds them; `read_pictures` turns them back."""
    return [[one.number, one.media_type, one.span.start, one.span.end, one.described_by] for one in placed]


def read_pictures(written: Iterable[Any]) -> tuple[PlacedPicture, ...]:
    """See `written_pictures`."""
    return tuple(
        PlacedPicture(number, media_type, Span(start, end), described_by)
        for number, media_type, start, end, described_by in written
    )

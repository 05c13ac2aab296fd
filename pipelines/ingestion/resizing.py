"""Chunks of another size than the profile's, for documents whose giver asked for that."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import ValidationError

from pipelines.errors import InvalidDocument, Problem
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import ChunkSize


def resized(section: Chunking, chunking: ChunkSize | None) -> Chunking:
    """Return the profile's way of cutting, with chunks of the size that a document's giver asked for.

    Raises:
        InvalidDocument: There can be no chunks of that size.
    """
    if chunking is None:
        return section
    try:
        return type(section).model_validate({**section.model_dump(), **asdict(chunking)})
    except ValidationError as error:
        problems = (Problem(" -> ".join(map(str, ("chunking", *one["loc"]))), one["msg"]) for one in error.errors())
        raise InvalidDocument(*problems) from None

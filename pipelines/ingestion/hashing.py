"""The hash by which a document that is offered again is known."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from pipelines.errors import InvalidDocument, Problem
from pipelines.ingestion.pictures import PictureTexts
from pipelines.types import DocumentInput


def offer_hash(offered: DocumentInput, content: str | bytes, pictures: PictureTexts | None) -> str:
    """Return the SHA-256, in hexadecimal, of a content and of everything its giver states about it.

    Where its pictures are written about, how that is done counts, too.

    Raises:
        InvalidDocument: The metadata cannot be written as JSON.
    """
    described = {"metadata": offered.metadata, "title": offered.title, "media_type": offered.media_type}
    if offered.chunking is not None:
        described["chunking"] = asdict(offered.chunking)
    if pictures is not None and pictures.concern(offered.source, offered.media_type, content):
        described["pictures"] = pictures.settings
    try:
        description = json.dumps(described, sort_keys=True, default=str).encode()
    except RecursionError:
        raise InvalidDocument(Problem("metadata", "nests too deep")) from None
    except TypeError:  # values of any kind are described; names are sorted
        raise InvalidDocument(Problem("metadata", "must be plain JSON: write all names as text")) from None
    except ValueError as error:
        raise InvalidDocument(Problem("metadata", f"must be plain JSON ({error})")) from None
    digest = hashlib.sha256(f"{offered.source}\0".encode() + description + b"\0")
    digest.update(content if isinstance(content, bytes) else content.encode())
    return digest.hexdigest()

"""Opening compound files (OLE), the container of Outlook's messages and of Office before 2007."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pipelines.errors import CorruptDocument

if TYPE_CHECKING:
    from olefile import OleFileIO

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of every compound file."""
_STREAMS = (("Workbook", "XLS"), ("Book", "XLS"), ("__properties_version1.0", "MSG"))
_DAMAGED = "its compound file is damaged or was cut off; get a fresh copy and ingest that"


@contextmanager
def open_compound(content: bytes, kind: str) -> Iterator[OleFileIO[Any]]:
    """Open a compound file for the length of a block.

    Raises:
        CorruptDocument: It is not one, is damaged, or of another kind.
    """
    with _opened(content, kind) as compound:
        found = _kind(compound)
        if found != kind:
            what = f"it is {found}; name it so" if found else "it is another program's file"
            raise CorruptDocument(kind, what)
        yield compound


def kind_of_compound(content: bytes) -> str | None:
    """Return which kind of document a compound file holds, None where no reader knows it, or it is damaged."""
    try:
        with _opened(content, "Office") as compound:
            return _kind(compound)
    except CorruptDocument:
        return None


@contextmanager
def _opened(content: bytes, kind: str) -> Iterator[OleFileIO[Any]]:
    from olefile import OleFileIO

    try:
        compound = OleFileIO(io.BytesIO(content))
    except Exception as error:
        # olefile lets through whatever a damaged table makes of its arithmetic.
        raise CorruptDocument(kind, _DAMAGED) from error
    with compound:
        yield compound


def _kind(compound: OleFileIO[Any]) -> str | None:
    return next((kind for stream, kind in _STREAMS if compound.exists(stream)), None)

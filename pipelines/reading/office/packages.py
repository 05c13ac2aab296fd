"""Opening the ZIP packages of Office, OpenDocument and EPUB: the right kind, of a bearable size, without entities."""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

from pipelines.errors import CorruptDocument, EncryptedDocument

LARGEST_PACKAGE = 512 * 2**20
LARGEST_PART = 128 * 2**20

# What the list of parts says of the main part, plain and with macros.
_CONTENT_TYPES = {
    "DOCX": (b"wordprocessingml.document.main+xml", b"ms-word.document.macroEnabled.main+xml"),
    "PPTX": (b"presentationml.presentation.main+xml", b"ms-powerpoint.presentation.macroEnabled.main+xml"),
    "XLSX": (b"spreadsheetml.sheet.main+xml", b"ms-excel.sheet.macroEnabled.main+xml"),
}
# What the first part of an OpenDocument file says, a template or not.
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
_OPEN_KINDS = {b"text": "ODT", b"spreadsheet": "ODS", b"presentation": "ODP"}
LONGEST_LIST = 16 * 2**20
"""Bytes of the list of parts at an archive's end."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_LONGEST_END = 22 + 20 + 2**16
_DAMAGED = "its ZIP archive is damaged or was cut off; get a fresh copy and ingest that"


def open_package(content: bytes, kind: str) -> zipfile.ZipFile:
    """Open the package that is to be of this kind, or say what it is instead."""
    package = unzipped(io.BytesIO(content), kind)
    _refuse_bombs(package, kind)
    found = _kind(package, kind)
    if found != kind:
        raise CorruptDocument(kind, f"it is {found}; name it so" if found else "it is a ZIP archive of something else")
    if kind in _CONTENT_TYPES:
        _refuse_entities(package, kind)
    return package


def kind_of_package(content: bytes) -> str | None:
    """Return which kind of package the bytes are, None for any other ZIP archive."""
    package = unzipped(io.BytesIO(content), "ZIP")
    _refuse_bombs(package, "ZIP")
    return _kind(package, "ZIP")


def part(package: zipfile.ZipFile, name: str, kind: str) -> bytes | None:
    """Return a part's bytes, None where the package has no such part."""
    if name not in package.NameToInfo:
        return None
    try:
        return package.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise CorruptDocument(kind, f"its part {name} is damaged; get a fresh copy and ingest that") from error


def required_part(package: zipfile.ZipFile, name: str, kind: str) -> bytes:
    """Return the bytes of a part that there must be."""
    data = part(package, name, kind)
    if data is None:
        raise CorruptDocument(kind, f"its part {name} is missing; get a fresh copy and ingest that")
    return data


def unzipped(file: BinaryIO | Path, kind: str) -> zipfile.ZipFile:
    """Return an archive opened, whatever is in it.

    Raises:
        CorruptDocument: It is not one, is damaged, or lists more parts than any document has.
    """
    try:
        with file.open("rb") if isinstance(file, Path) else nullcontext(file) as opened:
            _refuse_crowds(opened, kind)
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise CorruptDocument(kind, _DAMAGED) from error


def _refuse_crowds(file: BinaryIO, kind: str) -> None:
    """Refuse a list of parts that takes minutes and gigabytes to read: a part of no bytes takes 46 in it."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _LONGEST_END))
    end = file.read()
    place = end.rfind(_END)
    listed = int.from_bytes(end[place + 12 : place + 16], "little") if place >= 0 else 0
    if listed > LONGEST_LIST or _END_64 in end[max(0, place - 20) : place]:
        raise CorruptDocument(kind, "it lists more parts than can be read; split it")


def _kind(package: zipfile.ZipFile, expected: str) -> str | None:
    if "META-INF/container.xml" in package.NameToInfo:
        return "EPUB"
    media_type = (part(package, "mimetype", expected) or b"").strip()
    if media_type.startswith(_OPEN_DOCUMENT):
        return _OPEN_KINDS.get(media_type.removeprefix(_OPEN_DOCUMENT).removesuffix(b"-template"))
    listed = part(package, "[Content_Types].xml", expected) or b""
    return next((kind for kind, names in _CONTENT_TYPES.items() if any(name in listed for name in names)), None)


def _refuse_bombs(package: zipfile.ZipFile, kind: str) -> None:
    """Refuse by the declared sizes, which zipfile never exceeds."""
    parts = package.infolist()
    if any(info.flag_bits & 1 for info in parts):
        raise EncryptedDocument
    total = sum(info.file_size for info in parts)
    markup = max((info.file_size for info in parts if _is_markup(info)), default=0)
    for size, limit in ((total, LARGEST_PACKAGE), (markup, LARGEST_PART)):
        if size > limit:
            found = f"it would unpack to {size:,} bytes, more than the {limit:,} that are allowed"
            raise CorruptDocument(kind, f"{found}; split it, or take out its media")


def _refuse_entities(package: zipfile.ZipFile, kind: str) -> None:
    """Office forbids document type declarations; a file with one attacks the parser."""
    for info in package.infolist():
        if _is_markup(info) and _declares_type(required_part(package, info.filename, kind)):
            raise CorruptDocument(kind, f"{info.filename} holds a document type declaration, which Office never writes")


def _is_markup(info: zipfile.ZipInfo) -> bool:
    return info.filename.lower().endswith((".xml", ".rels", ".vml", ".xhtml", ".html", ".htm", ".opf", ".ncx"))


def _declares_type(data: bytes) -> bool:
    declaration = "<!DOCTYPE"
    return any(declaration.encode(codec) in data for codec in ("ascii", "utf-16-le", "utf-16-be"))

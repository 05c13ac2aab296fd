"""Small compound files (OLE) for the readers' tests, written byte by byte: messages of Outlook and old workbooks."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

_SECTOR = 512
_LEAST_STREAM = 4096
"""Shorter streams would be kept in another way; they are padded with zeros, which readers take off."""
_FREE, _END, _TABLE, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5

Tree = Mapping[str, "bytes | Tree"]


def compound(tree: Tree) -> bytes:
    """A compound file of these streams, and of storages that hold others."""
    entries: list[bytes] = []
    sectors: list[bytes] = []
    chains: list[int] = []

    def put(data: bytes) -> int:
        first = len(sectors)
        count = -(-len(data) // _SECTOR)
        padded = data.ljust(count * _SECTOR, b"\0")
        sectors.extend(padded[start : start + _SECTOR] for start in range(0, len(padded), _SECTOR))
        chains.extend([*range(first + 1, first + count), _END])
        return first

    def add(name: str, content: bytes | Tree, kind: int) -> int:
        place = len(entries)
        entries.append(b"")
        first, size, below = _END if kind == _ROOT else 0, 0, _NONE
        if isinstance(content, bytes):
            data = content.ljust(_LEAST_STREAM, b"\0")
            first, size = put(data), len(data)
        else:
            below = add_all(list(content.items()))
        entries[place] = _entry(name, kind, below, first, size)
        return place

    def add_all(children: Sequence[tuple[str, bytes | Tree]]) -> int:
        """Add siblings, each to the right of the one before it, and give the first."""
        places = [add(name, child, _STREAM if isinstance(child, bytes) else _STORAGE) for name, child in children]
        for place, right in pairwise(places):
            entries[place] = entries[place][:72] + struct.pack("<I", right) + entries[place][76:]
        return places[0] if places else _NONE

    add("Root Entry", tree, _ROOT)
    directory = put(b"".join(entries).ljust(-(-len(entries) * 128 // _SECTOR) * _SECTOR, b"\0"))
    table_sectors = -(-(len(chains) + 8) // (_SECTOR // 4 - 1))
    table = [*chains, *[_TABLE] * table_sectors]
    table += [_FREE] * (table_sectors * _SECTOR // 4 - len(table))
    places = [len(sectors) + index for index in range(table_sectors)]
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
        + struct.pack("<HHHHHHIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, table_sectors, directory, 0, _LEAST_STREAM,
                      _END, 0, _END, 0)
        + struct.pack("<109I", *places, *[_FREE] * (109 - len(places)))
    )  # fmt: skip
    return header + b"".join(sectors) + struct.pack(f"<{len(table)}I", *table)


def _entry(name: str, kind: int, below: int, first: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    return (
        encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, _NONE, _NONE, below)
        + bytes(16 + 4 + 16) + struct.pack("<IQ", first, size)
    )  # fmt: skip


def message(
    texts: Mapping[str, str],
    *,
    sent: datetime | None = None,
    html: str = "",
    attachments: Sequence[Tree] = (),
    header: int = 32,
    narrow: str | None = None,
) -> dict[str, bytes | Tree]:
    """The tree of a message: ``texts`` by the number of their property, wide or in the codec ``narrow``."""
    table = bytes(header)
    if sent is not None:
        ticks = int((sent - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
        table += struct.pack("<HHIQ", 0x0040, 0x0039, 6, ticks)
    if narrow is not None:
        table += struct.pack("<HHIQ", 0x0003, 0x3FFD, 6, int(narrow.removeprefix("cp")))
    tree: dict[str, bytes | Tree] = {"__properties_version1.0": table}
    for number, text in texts.items():
        kind, codec = ("001F", "utf-16-le") if narrow is None else ("001E", narrow)
        tree[f"__substg1.0_{number}{kind}"] = text.encode(codec)
    if html:
        tree["__substg1.0_10130102"] = html.encode()
    for index, attachment in enumerate(attachments):
        tree[f"__attach_version1.0_#{index:08X}"] = attachment
    return tree


def attachment(name: str, data: bytes, kind: str = "") -> Tree:
    """The tree of an attached file."""
    return {
        "__properties_version1.0": bytes(8),
        "__substg1.0_3707001F": name.encode("utf-16-le"),
        "__substg1.0_370E001F": kind.encode("utf-16-le"),
        "__substg1.0_37010102": data,
    }


def forwarded(tree: Tree) -> Tree:
    """The tree of an attached message."""
    return {"__properties_version1.0": bytes(8), "__substg1.0_3701000D": tree}


Cell = str | float | bool | None
_GENERAL, _PERCENT, _DATE, _DURATION = 0, 9, 14, 46


def workbook(sheets: Mapping[str, Sequence[Sequence[Cell | tuple[float, str]]]], hidden: Sequence[str] = ()) -> bytes:
    """A workbook of Excel 97; a cell of a number and "percent", "date" or "duration" is shown so."""
    parts = [_sheet(rows) for rows in sheets.values()]
    start = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0x0DBB, 1996, 0, 6)) + _record(
        0x42, struct.pack("<H", 1200)
    )
    formats = b"".join(
        _record(0xE0, struct.pack("<HHHHHHHIIH", 0, one, 0, 32, 0, 0, 0, 0, 0, 0x20C0))
        for one in (_GENERAL, _PERCENT, _DATE, _DURATION)
    )
    fonts = _record(0x31, struct.pack("<HHHHHBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0) + b"\x05\x00Arial") * 4
    ends = _record(0x0A, b"")
    bounds = sum(len(_bound(0, name, hidden)) for name in sheets)
    place = len(start) + len(fonts) + len(formats) + bounds + len(ends)
    listed = b""
    for name, part in zip(sheets, parts, strict=True):
        listed += _bound(place, name, hidden)
        place += len(part)
    return compound({"Workbook": start + fonts + formats + listed + ends + b"".join(parts)})


def _bound(place: int, name: str, hidden: Sequence[str]) -> bytes:
    return _record(0x85, struct.pack("<IBBBB", place, name in hidden, 0, len(name), 0) + name.encode("latin-1"))


def _sheet(rows: Sequence[Sequence[Cell | tuple[float, str]]]) -> bytes:
    data = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0x0DBB, 1996, 0, 6))
    width = max(map(len, rows), default=0)
    data += _record(0x200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            data += _cell(number, column, cell)
    return data + _record(0x0A, b"")


def _cell(row: int, column: int, cell: Cell | tuple[float, str]) -> bytes:
    style = {"percent": 1, "date": 2, "duration": 3}[cell[1]] if isinstance(cell, tuple) else 0
    place = struct.pack("<HHH", row, column, style)
    value = cell[0] if isinstance(cell, tuple) else cell
    match value:
        case None:
            return b""
        case bool():
            return _record(0x205, place + bytes([value, 0]))
        case str():
            return _record(0x204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
        case _:
            return _record(0x203, place + struct.pack("<d", value))


def _record(number: int, data: bytes) -> bytes:
    return struct.pack("<HH", number, len(data)) + data

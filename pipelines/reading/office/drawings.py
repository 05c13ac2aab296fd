"""The pictures that lie on the sheets of a workbook of Excel."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress

from lxml import etree

from pipelines.errors import CorruptDocument
from pipelines.reading.office.opentext import attribute
from pipelines.reading.office.pictures import AddPicture, alternative
from pipelines.reading.office.relations import related, relation, root_of, sheets
from pipelines.reading.xmltree import words


class Drawings:
    """Finds the pictures of sheets; a damaged drawing has none, and harms nothing.

    Args:
        package: The workbook's.
        add_picture: Takes the pictures.
    """

    def __init__(self, package: zipfile.ZipFile, add_picture: AddPicture) -> None:
        self._package = package
        self._add_picture = add_picture
        self._sheets: Mapping[str, str] = {}
        with suppress(CorruptDocument):
            self._sheets = dict(sheets(self._package))

    def on_sheet(self, name: str) -> list[str]:
        """Return the texts of the blocks of a sheet's pictures, from top to bottom."""
        with suppress(CorruptDocument):
            return [text for text in self._pictures(self._sheets.get(name)) if text]
        return []

    def _pictures(self, sheet: str | None) -> Iterator[str]:
        for drawing in related(self._package, sheet, "drawing").values() if sheet else ():
            images, root = related(self._package, drawing, "image"), root_of(self._package, drawing)
            anchors = [each for each in root.iter() if str(each.tag).endswith("Anchor")] if root is not None else []
            for anchor in sorted(anchors, key=_place):
                for picture in anchor.iter("pic"):
                    shown, said = picture.find("blipFill/blip"), picture.find("nvPicPr/cNvPr")
                    name = images.get(relation(shown, "embed")) if shown is not None else None
                    yield self._add_picture(
                        name or "", alternative(attribute(said, "descr")) if said is not None else ""
                    )


def _place(anchor: etree._Element) -> tuple[int, int]:
    """Return the row and the column where what is anchored begins."""
    row, column = (words(anchor.find(f"from/{name}")) for name in ("row", "col"))
    return _number(row), _number(column)


def _number(written: str) -> int:
    return int(written) if written.isdecimal() and len(written) < 9 else 0

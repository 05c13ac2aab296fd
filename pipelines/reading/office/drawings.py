"""The pictures that lie on the sheets of a workbook of Excel."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress

from lxml import etree

from pipelines.errors import CorruptDocument
from pipelines.reading.office.opentext import attribute
from pipelines.reading.office.packages import part
from pipelines.reading.office.pictures import AddPicture, alternative
from pipelines.reading.xmltree import parse_plain, words

_LABEL = "XLSX"
_PACKAGE = ""
"""What the package's own relations are relations of."""


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
            self._sheets = dict(self._found_sheets())

    def on_sheet(self, name: str) -> list[str]:
        """Return the texts of the blocks of a sheet's pictures, from top to bottom."""
        with suppress(CorruptDocument):
            return [text for text in self._pictures(self._sheets.get(name)) if text]
        return []

    def _found_sheets(self) -> Iterator[tuple[str, str]]:
        """Yield the names of sheets and of their parts."""
        for workbook in self._related(_PACKAGE, "officeDocument").values():
            parts = self._related(workbook, "worksheet")
            root = self._root(workbook)
            for sheet in root.iter("sheet") if root is not None else ():
                if found := parts.get(_relation(sheet, "id")):
                    yield attribute(sheet, "name"), found

    def _pictures(self, sheet: str | None) -> Iterator[str]:
        for drawing in self._related(sheet, "drawing").values() if sheet else ():
            images, root = self._related(drawing, "image"), self._root(drawing)
            anchors = [each for each in root.iter() if str(each.tag).endswith("Anchor")] if root is not None else []
            for anchor in sorted(anchors, key=_place):
                for picture in anchor.iter("pic"):
                    shown, said = picture.find("blipFill/blip"), picture.find("nvPicPr/cNvPr")
                    name = images.get(_relation(shown, "embed")) if shown is not None else None
                    yield self._add_picture(
                        name or "", alternative(attribute(said, "descr")) if said is not None else ""
                    )

    def _related(self, name: str, kind: str) -> dict[str, str]:
        """Return the parts of a kind that a part refers to, by the ids that it calls them."""
        folder, own = posixpath.split(name)
        root = self._root(posixpath.join(folder, "_rels", f"{own}.rels"))
        return {
            one.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip("/")
            for one in (root.iter("Relationship") if root is not None else ())
            if one.get("Type", "").endswith(f"/{kind}") and one.get("TargetMode") != "External"
        }

    def _root(self, name: str) -> etree._Element | None:
        data = part(self._package, name, _LABEL)
        return parse_plain(data, _LABEL) if data else None


def _relation(element: etree._Element, name: str) -> str:
    """Return the id of a relation: an attribute that has a namespace."""
    return next((str(value) for key, value in element.attrib.items() if str(key).endswith(f"}}{name}")), "")


def _place(anchor: etree._Element) -> tuple[int, int]:
    """Return the row and the column where what is anchored begins."""
    row, column = (words(anchor.find(f"from/{name}")) for name in ("row", "col"))
    return _number(row), _number(column)


def _number(written: str) -> int:
    return int(written) if written.isdecimal() and len(written) < 9 else 0

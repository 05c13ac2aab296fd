"""Which parts of an Office package refer to which, and the parts of a workbook's sheets."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator

from lxml import etree

from pipelines.reading.office.opentext import attribute
from pipelines.reading.office.packages import part
from pipelines.reading.xmltree import parse_plain

_LABEL = "Office"
_PACKAGE = ""
"""What the package's own relations are relations of."""


def sheets(package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the names of sheets and of their parts."""
    for workbook in related(package, _PACKAGE, "officeDocument").values():
        parts = related(package, workbook, "worksheet")
        root = root_of(package, workbook)
        for sheet in root.iter("sheet") if root is not None else ():
            if found := parts.get(relation(sheet, "id")):
                yield attribute(sheet, "name"), found


def related(package: zipfile.ZipFile, name: str, kind: str) -> dict[str, str]:
    """Return the parts of a kind that a part refers to, by the ids that it calls them."""
    folder, own = posixpath.split(name)
    root = root_of(package, posixpath.join(folder, "_rels", f"{own}.rels"))
    return {
        one.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip("/")
        for one in (root.iter("Relationship") if root is not None else ())
        if one.get("Type", "").endswith(f"/{kind}") and one.get("TargetMode") != "External"
    }


def root_of(package: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return the root of a part's tree, None if there is no such part."""
    data = part(package, name, _LABEL)
    return parse_plain(data, _LABEL) if data else None


def relation(element: etree._Element, name: str) -> str:
    """Return the id of a relation: an attribute that has a namespace."""
    return next((str(value) for key, value in element.attrib.items() if str(key).endswith(f"}}{name}")), "")

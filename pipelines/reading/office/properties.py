"""What Office files say of themselves."""

from __future__ import annotations

import zipfile

from pipelines.reading.office.packages import part
from pipelines.reading.properties import clean_title
from pipelines.reading.xmltree import parse_plain, words

_CORE = "docProps/core.xml"


def office_properties(package: zipfile.ZipFile) -> tuple[str | None, dict[str, str]]:
    """Return the title, if somebody gave one, and the author and the dates."""
    core = part(package, _CORE, "Office")
    if not core:
        return None, {}
    root = parse_plain(core, "Office")
    metadata = {
        "author": words(root.find("creator")),
        "created": words(root.find("created"))[:10],
        "modified": words(root.find("modified"))[:10],
    }
    return clean_title(words(root.find("title"))), metadata

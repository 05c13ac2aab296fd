"""Names of files: those that are no documents, and what a name says."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pipelines.reading.formats import media_type_of

_UNFINISHED = re.compile(r"~\$|#.*#$|.*(~|\.tmp|\.part|\.crdownload)$", re.IGNORECASE | re.DOTALL)


def is_ignored(name: str) -> bool:
    """Return whether a file of this name is hidden, or only an unfinished or former state of another.

    These are ``*~`` and ``#*#`` (editors), ``~$*`` (office programs), ``*.tmp``, ``*.part`` and ``*.crdownload``
    (downloads and careful writers, which rename the file once it is whole).
    """
    return name.startswith(".") or _UNFINISHED.match(name) is not None


def stem_of(source: str | None) -> str:
    """Return a source without its folder and a known file ending: ``CFR 1234.56`` has none."""
    path = PurePosixPath(source or "")
    return (path.stem if media_type_of(path.name) else path.name).replace("_", " ")

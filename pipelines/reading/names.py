"""Names of files that are no documents, in a folder and in an archive."""

from __future__ import annotations

import re

_UNFINISHED = re.compile(r"~\$|#.*#$|.*(~|\.tmp|\.part|\.crdownload)$", re.IGNORECASE | re.DOTALL)


def is_ignored(name: str) -> bool:
    """Return whether a file of this name is hidden, or only an unfinished or former state of another.

    These are ``*~`` and ``#*#`` (editors), ``~$*`` (office programs), ``*.tmp``, ``*.part`` and ``*.crdownload``
    (downloads and careful writers, which rename the file once it is whole).
    """
    return name.startswith(".") or _UNFINISHED.match(name) is not None

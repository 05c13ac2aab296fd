"""Packs files into ZIP archives."""

from __future__ import annotations

import io
import zipfile


def packed(**files: str | bytes) -> bytes:
    """An archive of these files; a name's two underscores stand for a slash, and one for a dot."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return target.getvalue()

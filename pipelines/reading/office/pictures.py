"""The pictures among the parts of a package, and what their authors say of them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable

from pipelines.reading.pictures import LARGEST_FILE, Gallery, opened
from pipelines.reading.tidying import tidy

AddPicture = Callable[[str, str], str]
"""Takes the name of a part and a caption; returns the text of the picture's block, "" where it is left out."""

_INVENTED = ("automatically generated", "AI-generated content")
"""What Office writes below the words that it invents for a picture."""
_GIVEN = re.compile(r"\S+\.(png|jpe?g|gif|bmp|tiff?|webp|[ew]mf|svg)|picture|image", re.IGNORECASE)
"""What programs give a picture as its alternative text, if nobody wrote one."""


def adding_to(gallery: Gallery | None, package: zipfile.ZipFile) -> AddPicture:
    """Return what adds a package's parts to a gallery, if there is one. A part is unpacked when it is first shown."""

    def add(name: str, caption: str) -> str:
        info = package.NameToInfo.get(name)
        if gallery is None or info is None or info.file_size > LARGEST_FILE:
            return ""
        same = b"%d %d" % (info.CRC, info.file_size)
        return gallery.add_drawn(same, lambda: opened(package.read(info)), caption)

    return add


def alternative(said: str) -> str:
    """Return an alternative text that an author wrote: no name of a file, and nothing that a program invented."""
    invented = any(sign in said for sign in _INVENTED)
    return "" if invented or _GIVEN.fullmatch(said.strip()) else tidy(said)

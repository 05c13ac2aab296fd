"""Has files read again when the profile reads scans or pictures otherwise than it did, although they are the same."""

from __future__ import annotations

from pipelines.catalogue.files import FileRecords
from pipelines.catalogue.settings import Settings
from pipelines.reading import may_hold_pictures, may_hold_scans

_SCANS, _PICTURES = "ocr", "pictures"


class Rereading:
    """Unsettles what is recorded of files that may hold scans or pictures, once for each change of the settings.

    Args:
        files: What is recorded of the folder's files.
        settings: Remember what the last synchronisation read with.
        by: Names everything that decides how scans are read; None if they are not read. Then nothing is read
            again: what was recognised stays.
        pictures: The same of pictures; None if they are not kept. Then files are read again, without them.
    """

    def __init__(self, files: FileRecords, settings: Settings, by: str | None, pictures: str | None) -> None:
        self._files = files
        self._settings = settings
        self._by = by
        self._pictures = pictures

    def __call__(self) -> None:
        """Unsettles them, if there is cause. Killed in the middle it does so again: the settings are noted last."""
        if self._settings.get(_SCANS).get("by") != self._by:
            if self._by is not None:
                self._files.unsettle([path for path in self._files.all() if may_hold_scans(path)])
            self._settings.put(_SCANS, {"by": self._by})
        if self._settings.get(_PICTURES).get("by") != self._pictures:
            concerned = [path for path in self._files.all() if may_hold_pictures(path) is not False]
            self._files.unsettle(concerned)
            self._settings.put(_PICTURES, {"by": self._pictures})

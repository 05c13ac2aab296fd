"""Has files read again although they are the same: when the profile, or a reader, reads them otherwise than before."""

from __future__ import annotations

from pipelines.catalogue import Catalogue
from pipelines.catalogue.files import FileRecords
from pipelines.catalogue.settings import Settings
from pipelines.ingestion.readers import former_readers
from pipelines.reading import may_hold_pictures, may_hold_scans

_SCANS, _PICTURES = "ocr", "pictures"


class Rereading:
    """Marks files to be read again.

    These are files that may hold scans or pictures, once after each change of the settings for them, and files that an
    earlier reader read.

    Args:
        files: What is recorded of the folder's files.
        catalogue: Knows what read each document.
        settings: Remember what the last synchronisation read with.
        by: Names everything that decides how scans are read; None if they are not read. Then nothing is read
            again: what was recognised stays.
        pictures: The same of pictures; None if they are not kept. Then files are read again, without them.
    """

    def __init__(
        self, files: FileRecords, catalogue: Catalogue, settings: Settings, by: str | None, pictures: str | None
    ) -> None:
        self._files = files
        self._catalogue = catalogue
        self._settings = settings
        self._by = by
        self._pictures = pictures

    def __call__(self, *, unnoted: bool) -> frozenset[str]:
        """Mark the files, if there is cause; return the paths of those that an earlier reader read.

        Killed in the middle it does so again: the settings are noted last.

        Args:
            unnoted: Whether those count whose reader was not noted, by a release before this was done.
        """
        if self._settings.get(_SCANS).get("by") != self._by:
            if self._by is not None:
                self._files.unsettle([path for path in self._files.all() if may_hold_scans(path)])
            self._settings.put(_SCANS, {"by": self._by})
        if self._settings.get(_PICTURES).get("by") != self._pictures:
            concerned = [path for path in self._files.all() if may_hold_pictures(path) is not False]
            self._files.unsettle(concerned)
            self._settings.put(_PICTURES, {"by": self._pictures})
        former = former_readers(self._catalogue.readers(), unnoted=unnoted)
        read_otherwise = self._files.read_by(former) if former else []
        self._files.unsettle(read_otherwise)
        return frozenset(read_otherwise)

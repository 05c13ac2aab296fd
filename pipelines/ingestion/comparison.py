"""Compares a knowledge folder with what is recorded of it: what is to be read, and which documents lost their files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pipelines.catalogue.files import FileRecord, FolderDocument, Stamp
from pipelines.errors import UnreadableDocument
from pipelines.ingestion.folder import Scan
from pipelines.types import IngestResult


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """What was known of the folder before it was looked at, each by path; see `FileRecords`."""

    records: Mapping[str, FileRecord]
    documents: Mapping[str, FolderDocument]
    overruled: Mapping[str, int]

    def stands(self, path: str, sha256: str) -> bool:
        """Return whether a file has the content that its document was given or deleted over, so that it is left
        alone.
        """
        record = self.records.get(path)
        return path in self.overruled and record is not None and record.sha256 == sha256


@dataclass(frozen=True, slots=True)
class Difference:
    """What is to be done.

    Attributes:
        changed: Files to be read.
        same: Results of what is not.
        gone: Paths of documents whose files are not there any more, in order.
    """

    changed: dict[str, Stamp]
    same: tuple[IngestResult, ...]
    gone: tuple[str, ...]


def compare(known: KnownFiles, seen: Scan, gone: Iterable[str], refused: str, snapshot: int) -> Difference:
    """Return what is to be done about ``seen``.

    ``refused`` stands for the sha256 in the record of a file that the present rules refused: it is refused again
    without being read, for the reason that stands in the catalogue. A reason that came another way, or by other rules,
    says nothing of the file, and it is read.
    """
    changed: dict[str, Stamp] = {}
    same = [_unreadable(folder, why) for folder, why in seen.unreadable.items()]
    for path, stamp in seen.files.items():
        record, document = known.records.get(path), known.documents.get(path)
        if record is not None and path in known.overruled and record.settled and record.stamp == stamp:
            same.append(left_alone(record, known.overruled[path], snapshot))
        elif record is None or document is None or _may_differ(record, stamp, document.reason, refused):
            changed[path] = stamp
        else:
            same.append(_as_before(path, document, snapshot))
    return Difference(changed, tuple(same), tuple(sorted(gone)))


def left_alone(record: FileRecord, version: int, snapshot: int) -> IngestResult:
    """Return the result of a file that has not changed since its document was given or deleted by other means."""
    reason = None if version else "its document was deleted; the file has not changed since"
    return IngestResult(record.document, "unchanged", version, snapshot=snapshot, source=record.path, reason=reason)


def _may_differ(record: FileRecord, stamp: Stamp, reason: str | None, refused: str) -> bool:
    return not record.settled or record.stamp != stamp or (record.sha256 == refused) != (reason is not None)


def _as_before(path: str, document: FolderDocument, snapshot: int) -> IngestResult:
    name, version = document.document_id, document.version
    if document.reason is None:
        return IngestResult(name, "unchanged", version, snapshot=snapshot, source=path)
    return IngestResult(name, "failed", version, reason=document.reason, source=path, code=UnreadableDocument.code)


def _unreadable(folder: str, why: str) -> IngestResult:
    name = f"{folder}/"
    reason = f"the folder cannot be read ({why}); the documents that came from it stay as they are"
    return IngestResult(name, "failed", reason=reason, source=name, code=UnreadableDocument.code)


class MissingFiles:
    """Paths of documents whose files are gone, by the contents that these had."""

    def __init__(self, known: KnownFiles, gone: Iterable[str]) -> None:
        self._waiting: dict[str, list[str]] = defaultdict(list)
        for path in sorted(gone):
            record = known.records.get(path)
            if record is not None and record.sha256 and known.documents[path].version:
                self._waiting[record.sha256].append(path)

    def __contains__(self, sha256: str) -> bool:
        return bool(self._waiting.get(sha256))

    def claim(self, path: str, sha256: str) -> str:
        """Return the path of the file that was renamed to ``path``, of those with this content that nobody claimed
        yet.

        One whose file had the same name is preferred, as when a folder was moved; then the first in order.
        """
        waiting, name = self._waiting[sha256], PurePosixPath(path).name
        before = next((old for old in waiting if PurePosixPath(old).name == name), waiting[0])
        waiting.remove(before)
        return before

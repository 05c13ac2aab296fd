"""From an offered document to its chunks: read, check, cut and place, without embedding anything."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from llama_index.core.schema import BaseNode

from pipelines.catalogue import Catalogue, Current, NewVersion, Version
from pipelines.components.store.chunk_nodes import EXTRACTED
from pipelines.errors import (
    FootnoteError,
    InvalidDocument,
    OcrUnavailable,
    PartTimeout,
    Problem,
    QuotaSpent,
    ReadingTooSlow,
    Unavailable,
    UnreadableDocument,
)
from pipelines.ingestion.cutting import Cutter, Transformations, language_of
from pipelines.ingestion.enriching import Enricher
from pipelines.ingestion.hashing import offer_hash
from pipelines.ingestion.identity import Identities
from pipelines.ingestion.metadata import checked_metadata, warn_of_overridden
from pipelines.ingestion.offers import check_offer, is_addressable, named_offer, printable, without_surrogates
from pipelines.ingestion.parsing import OfferReader
from pipelines.ingestion.pictures import PictureTexts, note_on_pictures, unsettled
from pipelines.ingestion.readers import hashed_again, hashes_of, is_former, note_on_reader, reads_alike
from pipelines.ingestion.room import room_in
from pipelines.ingestion.scans import Scans, hashed_with, note_on
from pipelines.ingestion.scope_guard import Scope, ScopeGuard
from pipelines.ingestion.tickets import ticket
from pipelines.ingestion.titles import tidied
from pipelines.profile.schema import Profile
from pipelines.reading import media_type_of, reader_of
from pipelines.reading.formats import PDF
from pipelines.reading.names import stem_of
from pipelines.reading.ocr import Ocr
from pipelines.reading.workers import ReaderPool
from pipelines.types import DocumentInput, IngestResult, Metadata, ParsedDocument, Picture

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be embedded.

    Attributes:
        new: What the catalogue records.
        nodes: Its chunks, in order.
        replaces: The document that goes in the same commit.
        again: The number of the readable version that is only cut again.
        note: Tells its owner what is wrong with it.
        passing: Whether another attempt may do better.
        scope: The giver's.
        words_first: Whether its vectors are left for later.
        original: The file itself, where its pages can be shown.
        pictures: The pictures in it.
    """

    new: NewVersion
    nodes: tuple[BaseNode, ...]
    replaces: str | None = None
    again: int | None = None
    note: str | None = None
    passing: bool = False
    scope: Scope | None = None
    words_first: bool = False
    original: bytes | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class UnchangedDocument:
    """A document that was offered as it was readable, in that version, when it was looked at."""

    offered: DocumentInput
    version: int


Item = Prepared | UnchangedDocument | IngestResult


class Preparer:
    """Turns offered documents into chunks as the profile says; see `OfferReader` and `Cutter` for its two halves.

    Args:
        profile: The profile.
        catalogue: Knows what is there.
        transformations: See `Cutter`.
        pipeline: See `Cutter`.
        readers: Turn files into text.
        identities: Name documents that are offered without an id.
        enrich: See `Cutter`.
        ocr: Reads pages without text, if the profile has that.
        pictures: Writes about pictures, if they are kept.
    """

    def __init__(
        self,
        profile: Profile,
        catalogue: Catalogue,
        transformations: Transformations,
        pipeline: str,
        *,
        readers: ReaderPool,
        identities: Identities,
        enrich: Enricher | None = None,
        ocr: Ocr | None = None,
        pictures: PictureTexts | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._identities = identities
        self._scans = Scans(ocr)
        self._holding = ScopeGuard(catalogue, profile.metadata)
        self._enrich = enrich
        self._pictures = pictures
        self._readers = readers
        self.adopt(profile, transformations, pipeline)

    def adopt(self, profile: Profile, transformations: Transformations, pipeline: str) -> None:
        """Cut as another profile says from now on; it is otherwise like the one before."""
        self._profile = profile
        bounds = None if self._pictures is None else self._pictures.bounds
        self._reader = OfferReader(profile, self._readers, self._scans, bounds)
        self._cutter = Cutter(profile, transformations, pipeline, self._enrich)

    def __call__(self, offered: DocumentInput) -> Item:
        """Return a document's chunks, that it is unchanged, or that it failed; one bad document never stops others."""
        named = named_offer(offered)
        if named.fault is not None:
            code, source = InvalidDocument.code, printable(named.source)
            return IngestResult(source, "failed", reason=named.fault, code=code, source=source)
        try:
            check_offer(named)
            return self._prepared(named, unnamed=offered.document_id is None and self._identities.by_content)
        except (OcrUnavailable, ReadingTooSlow) as error:  # another attempt may do better
            return replace(self._failed(named, error.message, error.code), passing=True)
        except (Unavailable, PartTimeout):  # no fault of the document
            raise
        except FootnoteError as error:
            kept = not isinstance(error, QuotaSpent)  # a record would be one document more
            return self._failed(named, error.message, error.code, error.problems, is_recorded=kept)
        except OSError as error:
            return self._failed(named, f"the file cannot be read: {error.strerror}", UnreadableDocument.code)
        except Exception as error:  # noqa: BLE001 - what one file makes a parser do must not end a folder's load
            _log.exception("document %r could not be prepared", named.document_id)
            reason = f"it could not be read: an unexpected error ({type(error).__name__}); please report it"
            return self._failed(named, reason, UnreadableDocument.code)

    def described(self, offered: DocumentInput) -> Metadata:
        """Return the metadata a document would have, unchecked: its own, overridden by its giver's.

        Raises:
            UnreadableDocument, InvalidDocument: It cannot be read.
        """
        named = named_offer(offered)
        check_offer(named)
        content = self._reader.content(named)
        parsed = self._reader.parsed(named, content, kept_for="")  # it may never become a document, or another
        return {**parsed.metadata, **named.metadata, **self._scans.metadata(parsed.scan)}

    def again(self, version: Version) -> Item:
        """Return a readable version cut again, or the result ``failed`` if the profile no longer accepts it."""
        new = self._new(version)
        try:
            checked_metadata(new.metadata, self._profile.metadata)
        except FootnoteError as error:
            self._catalogue.record_failure(new.document_id, new.source, new.media_type, new.origin, error.message)
            return IngestResult(
                new.document_id, "failed", version.version, reason=error.message, code=error.code, source=new.source
            )
        return replace(self._cut(new, untitled=_is_untitled(version)), again=version.version)

    def cut(self, version: Version) -> tuple[BaseNode, ...]:
        """Return the chunks of a version's text with the present profile, without vectors."""
        return self._cutter.again(self._new(version), version.metadata.facts)

    def _new(self, version: Version) -> NewVersion:
        kept = {field.name: getattr(version, field.name) for field in fields(NewVersion)}
        language = version.language or language_of(version.text, version.metadata)
        return NewVersion(**kept | {"language": language})

    def _prepared(self, offered: DocumentInput, *, unnamed: bool) -> Prepared | UnchangedDocument:
        content = self._reader.content(offered)
        read = self._reader.parsed(offered, content, kept_for="") if unnamed else None  # its document is not known yet
        if read is not None:
            offered = self._identified(offered, read)
        document_id = offered.document_id or ""
        self._holding.require_free(offered.scope, document_id)
        sha256 = offer_hash(offered, content, self._pictures)
        offered = replace(offered, accepted=offered.accepted or ticket())
        current = self._catalogue.current(document_id)
        same = current if offered.replaces is None and self._is_same(document_id, current, sha256) else None
        if same is not None and not is_former(same.media_type, same.reader):
            return UnchangedDocument(offered, same.version)
        if same is None:
            self._require_room(offered, content, is_new=current is None)
        parsed = tidied(read or self._reader.parsed(offered, content, kept_for=document_id))
        parsed, lacking = (parsed, 0) if self._pictures is None else self._pictures(parsed, document_id)
        of_scan = self._scans.metadata(parsed.scan)
        metadata = checked_metadata({**parsed.metadata, **offered.metadata, **of_scan}, self._profile.metadata)
        warn_of_overridden(document_id, parsed.metadata, offered.metadata)
        self._holding.require(offered.scope, metadata)
        if same is not None:
            sha256 = hashed_again(sha256, reader_of(parsed.media_type))
        new = self._version(offered, parsed, metadata, content, unsettled(hashed_with(sha256, of_scan), lacking))
        made = self._cut(new, untitled=offered.title is None and not parsed.title)
        if same is not None and reads_alike(self._catalogue, same, made.new):
            return UnchangedDocument(offered, same.version)
        again = "" if same is None else note_on_reader(new)
        notes = [note for note in (again, _unread(parsed, document_id), note_on_pictures(lacking), made.note) if note]
        return replace(
            made,
            replaces=offered.replaces,
            scope=offered.scope,
            words_first=offered.words_first,
            note="; ".join(notes) or None,
            passing=lacking > 0 or (parsed.scan is not None and parsed.scan.passing),
            original=self._original(parsed.media_type, content),
            pictures=parsed.pictures,
        )

    def _version(
        self, offered: DocumentInput, parsed: ParsedDocument, metadata: Metadata, content: str | bytes, sha256: str
    ) -> NewVersion:
        """Return the version of an accepted document that was read, before it is cut."""
        return NewVersion(
            document_id=offered.document_id or "",
            title=offered.title if offered.title is not None else parsed.title or stem_of(offered.source),
            source=offered.source or offered.document_id or "",
            media_type=parsed.media_type,
            origin=offered.origin,
            sha256=sha256,
            pipeline=self._cutter.name,
            accepted=offered.accepted or ticket(),
            text=parsed.text,
            pages=parsed.pages,
            headings=parsed.headings,
            blocks=parsed.blocks,
            pictures=parsed.placed,
            metadata=metadata,
            chunks=0,
            bytes=_size(content),
            chunking=offered.chunking,
            language=language_of(parsed.text, metadata),
            reader=reader_of(parsed.media_type),
        )

    def _require_room(self, offered: DocumentInput, content: str | bytes, *, is_new: bool) -> None:
        """Refuse a document for which there is no room, before it is read; the commit looks again.

        Of a folder's files only the commit knows, since one may take the place of another.
        """
        if offered.origin == "given":
            spent = room_in(self._catalogue, self._profile.limits.quotas).take(_size(content), is_new=is_new)
            if spent is not None:
                raise spent

    def _original(self, media_type: str, content: str | bytes) -> bytes | None:
        is_kept = media_type == PDF.media_type and len(content) <= self._profile.limits.original_bytes
        return content if is_kept and isinstance(content, bytes) else None

    def _identified(self, offered: DocumentInput, parsed: ParsedDocument) -> DocumentInput:
        document_id = self._identities.of(offered, {**parsed.metadata, **offered.metadata})
        replaces = None if offered.replaces == document_id else offered.replaces
        return replace(offered, document_id=document_id, replaces=replaces)

    def _is_same(self, document_id: str, current: Current | None, sha256: str) -> bool:
        """Return whether the readable version has this content and was made with the present profile."""
        if current is None or current.pipeline != self._cutter.name:
            return False
        contents = hashes_of(sha256, current.reader)
        if current.sha256 in contents:
            return True
        metadata = self._catalogue.metadata_of([document_id]).get(document_id, {})
        return current.sha256 in (hashed_with(one, metadata) for one in contents) and self._scans.stands(metadata)

    def _cut(self, new: NewVersion, *, untitled: bool) -> Prepared:
        cut, nodes, missing = self._cutter(new, untitled=untitled)
        return Prepared(cut, nodes, note=str(missing) if missing else None)

    def _failed(
        self,
        offered: DocumentInput,
        reason: str,
        code: str,
        problems: tuple[Problem, ...] = (),
        *,
        is_recorded: bool = True,
    ) -> IngestResult:
        document_id = printable(offered.document_id)
        source = printable(offered.source or document_id)
        media_type = printable(offered.media_type or media_type_of(source) or "application/octet-stream")
        reason = without_surrogates(reason)
        if is_recorded and is_addressable(document_id) and self._holding.may_record(offered.scope, document_id):
            most = self._profile.limits.quotas.documents
            self._catalogue.record_failure(document_id, source, media_type, offered.origin, reason, most=most)
        return IngestResult(document_id, "failed", reason=reason, code=code, source=source, problems=problems)


def _size(content: str | bytes) -> int:
    return len(content if isinstance(content, bytes) else content.encode())


def _is_untitled(version: Version) -> bool:
    """Return whether a version's title was not given: a language model or the file's name gave it."""
    extracted = version.metadata.get(EXTRACTED)
    of_model = extracted.get("title") if isinstance(extracted, Mapping) else None
    return version.title in ("", of_model, stem_of(version.source))


def _unread(parsed: ParsedDocument, document_id: str) -> str:
    """Return which scanned pages could not be read, in words for the document's owner, and log it."""
    unread = note_on(parsed.scan)
    if unread:
        _log.warning("document %r: %s", document_id, unread)
    return unread or ""

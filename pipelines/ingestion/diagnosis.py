"""What is wrong with one document: its record in the catalogue, held against its chunks in the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.catalogue.census import DocumentFacts, VersionFacts
from pipelines.ingestion.chunk_ids import chunk_id
from pipelines.ingestion.histories import History, checked_history
from pipelines.types import Finding


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is found, whatever it says of itself (None: no number); of its text, Python's hash."""

    chunk_id: str
    version: int | None
    index: int | None
    start: Any
    end: Any
    valid_from: Any
    valid_to: Any
    text_hash: int

    @classmethod
    def of(cls, stored_id: str, payload: dict[str, Any]) -> StoredChunk:
        """Return the chunk of this id and payload."""
        start, end, valid_from, valid_to = (payload.get(key) for key in ("start", "end", "valid_from", "valid_to"))
        return cls(
            chunk_id=stored_id,
            version=_number(payload.get("version")),
            index=_number(payload.get("index")),
            start=start,
            end=end,
            valid_from=valid_from,
            valid_to=valid_to,
            text_hash=hash(str(payload.get("text", ""))),
        )

    def has_id_of(self, tenant: str, document_id: str) -> bool:
        """Return whether its id is the one of a chunk of its version and its index in this document."""
        if self.version is None or self.index is None:
            return False
        return self.chunk_id == chunk_id(tenant, document_id, self.version, self.index)

    def quotes(self, text: str) -> bool:
        """Return whether its text is that of its span in ``text``."""
        if not (isinstance(self.start, int) and isinstance(self.end, int) and 0 <= self.start <= self.end <= len(text)):
            return False
        return hash(text[self.start : self.end]) == self.text_hash


@dataclass(frozen=True, slots=True)
class BrokenVersion:
    """A version whose chunks have to be made again, with those that it has and the findings that say so."""

    version: VersionFacts
    chunks: tuple[StoredChunk, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a document, and what has to be done about it.

    Attributes:
        before: What is recorded of it.
        history: What has to be recorded of it.
        strays: Ids of chunks that belong to none of its versions.
        misdated: Versions with chunks that carry other snapshots than their version.
        torn: Versions that lack chunks, or have such as do not quote their text.
        findings: All of this in words, but for ``torn``, where each version has its own.
    """

    before: DocumentFacts
    history: History
    strays: tuple[str, ...]
    misdated: tuple[VersionFacts, ...]
    torn: tuple[BrokenVersion, ...]
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings and not self.torn

    @property
    def all_findings(self) -> list[Finding]:
        """All that is wrong, in words."""
        return [*self.findings, *(finding for torn in self.torn for finding in torn.findings)]

    @property
    def to_make(self) -> list[tuple[str, int]]:
        """The versions whose chunks have to be made again."""
        return [(self.before.document_id, torn.version.number) for torn in self.torn]


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def diagnosed(
    tenant: str, facts: DocumentFacts, chunks: Sequence[StoredChunk], misquoted: Collection[str], snapshot: int
) -> Diagnosis:
    """Compare what is recorded of a document with all its chunks.

    Args:
        tenant: Whose document it is.
        facts: What is recorded of it.
        chunks: What the store holds of it.
        misquoted: Ids of the chunks that do not quote their version's text.
        snapshot: The tenant's last committed snapshot.
    """
    history = checked_history(facts, snapshot)
    kept, strays, findings = _sorted_out(tenant, history.facts, chunks)
    findings += [Finding("broken_document", detail, facts.document_id) for detail in history.wrong]
    misdated, torn = [], []
    for version in history.facts.versions:
        make_finding = _finding_of(facts.document_id, version)
        mine = kept[version.number]
        if findings_of := _tears(make_finding, version, mine, misquoted):
            torn.append(BrokenVersion(version, tuple(mine), tuple(findings_of)))
        validity = (version.valid_from, version.valid_to)
        if wrong := sum((chunk.valid_from, chunk.valid_to) != validity for chunk in mine):
            misdated.append(version)
            findings.append(
                make_finding("wrong_validity", f"{wrong} of its chunks say other snapshots than the catalogue")
            )
    return Diagnosis(facts, history, tuple(strays), tuple(misdated), tuple(torn), tuple(findings))


MakeFinding = Callable[[Any, str], Finding]


def _finding_of(document_id: str, version: VersionFacts) -> MakeFinding:
    return lambda kind, detail: Finding(kind, detail, document_id, version.number)


def _sorted_out(
    tenant: str, facts: DocumentFacts, chunks: Sequence[StoredChunk]
) -> tuple[dict[int, list[StoredChunk]], list[str], list[Finding]]:
    """Return chunks by the version that they belong to; ids of those that belong to none, and the findings on
    them.
    """
    kept: dict[int, list[StoredChunk]] = {version.number: [] for version in facts.versions}
    unseen = {version.number for version in facts.versions if _never_seen(version)}
    strays: dict[tuple[int | None, str], list[str]] = defaultdict(list)
    for chunk in chunks:
        number = chunk.version
        if not facts.versions:
            strays[None, "of a document of which the catalogue has no version"].append(chunk.chunk_id)
        elif number is None or number not in kept:
            strays[number, "of a version that the catalogue does not have"].append(chunk.chunk_id)
        elif number in unseen:
            strays[number, "of a version that was overtaken before it could be read"].append(chunk.chunk_id)
        elif not chunk.has_id_of(tenant, facts.document_id):
            strays[number, "under an id that none of this version's chunks has"].append(chunk.chunk_id)
        else:
            kept[number].append(chunk)
    findings = [
        Finding("orphan_chunks", f"{len(ids)} in the store {what}", facts.document_id, number)
        for (number, what), ids in strays.items()
    ]
    return kept, [chunk for ids in strays.values() for chunk in ids], findings


def _never_seen(version: VersionFacts) -> bool:
    return version.valid_from == version.valid_to and version.chunks == 0


def _tears(
    make_finding: MakeFinding, version: VersionFacts, chunks: Sequence[StoredChunk], misquoted: Collection[str]
) -> list[Finding]:
    """Return the findings on a version whose chunks are not whole."""
    found = []
    beyond = sum(chunk.index is not None and chunk.index >= version.chunks for chunk in chunks)
    if lacking := version.chunks - (len(chunks) - beyond):
        found.append(make_finding("missing_chunks", f"{lacking} of its {version.chunks} chunks are not in the store"))
    if beyond:
        found.append(
            make_finding(
                "orphan_chunks", f"{beyond} in the store beyond the {version.chunks} that the catalogue counts"
            )
        )
    if wrong := sum(chunk.chunk_id in misquoted for chunk in chunks):
        found.append(
            make_finding("wrong_span", f"{wrong} of its chunks are not what the version's text says in their place")
        )
    return found

"""What a tenant's versions should be, as plain Python: documents that are lists of versions, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pipelines.types import VersionInfo

EVER = None
"""End of a version that is still readable."""
UNKNOWN = -1
"""A snapshot that the tenant has yet to tell."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A document as it is offered; without a text it cannot be read."""

    document_id: str
    text: str | None
    shelf: str
    accepted: int


@dataclass(frozen=True, slots=True)
class ModelVersion:
    """A version: readable at snapshots from ``begin`` until before ``end``; one that was overtaken never was."""

    number: int
    text: str
    shelf: str
    pipeline: str
    begin: int = UNKNOWN
    end: int | None = EVER
    overtaken: bool = False


@dataclass(slots=True)
class ModelDocument:
    """A document: its versions in the order of their numbers, and when what stands was offered."""

    versions: list[ModelVersion] = field(default_factory=list)
    accepted: int = 0
    last: int = 0
    deleted: bool = False

    @property
    def current(self) -> ModelVersion | None:
        """What is readable now."""
        return next((version for version in self.versions if version.end is EVER), None)

    def at(self, snapshot: int) -> ModelVersion | None:
        """What was readable at ``snapshot``."""
        return next((one for one in self.versions if one.begin <= snapshot and not _ended(one, snapshot)), None)

    def put(self, version: ModelVersion) -> None:
        """Adds a version, which takes the place of the readable one."""
        self.end()
        self.versions.append(version)
        self.last = version.number
        self.deleted = False

    def learn(self, reported: Iterable[VersionInfo]) -> set[int]:
        """Takes over the snapshots of what was just done, and gives them."""
        by_number = {version.version: version for version in reported}
        learnt: set[int] = set()
        for place, version in enumerate(self.versions):
            known = by_number[version.number]
            learnt |= {known.snapshot} if version.begin == UNKNOWN else set()
            learnt |= {known.ended} if version.end == UNKNOWN and known.ended is not None else set()
            begin = known.snapshot if version.begin == UNKNOWN else version.begin
            end = known.ended if version.end == UNKNOWN else version.end
            self.versions[place] = replace(version, begin=begin, end=end)
        return learnt

    def end(self) -> None:
        """Ends the readable version."""
        self.versions = [replace(one, end=UNKNOWN) if one.end is EVER else one for one in self.versions]


@dataclass(slots=True)
class Model:
    """A tenant: documents by id, the current splitter, and the oldest snapshot whose history is whole."""

    pipeline: str
    documents: dict[str, ModelDocument] = field(default_factory=dict)
    horizon: int = 0

    def offer(self, offer: Offer) -> tuple[str, int]:
        """Brings a document in; gives the state that is told, and the number of the version that is readable then."""
        document = self.documents.setdefault(offer.document_id, ModelDocument())
        if offer.text is None:
            document.deleted = False
            return "failed", 0
        current = document.current
        if current and (current.text, current.shelf, current.pipeline) == (offer.text, offer.shelf, self.pipeline):
            document.accepted = max(document.accepted, offer.accepted)
            return "unchanged", current.number
        new = ModelVersion(document.last + 1, offer.text, offer.shelf, self.pipeline)
        if document.accepted > offer.accepted:
            if not document.deleted:
                document.versions.append(replace(new, end=UNKNOWN, overtaken=True))
                document.last = new.number
            return "unchanged", current.number if current else 0
        document.put(new)
        document.accepted = offer.accepted
        return "ready", new.number

    def delete(self, document_id: str, accepted: int, purge: bool) -> int:
        """Takes a document out; gives how many versions go, -1 where there is none of this id."""
        document = self.documents.get(document_id)
        if document is None or (document.deleted and not (purge and document.versions)):
            return -1
        before = len(document.versions) if purge else int(document.current is not None)
        document.end()
        document.versions = [] if purge else document.versions
        document.accepted, document.deleted = accepted, True
        return before

    def recut(self) -> None:
        """Makes new versions of what another pipeline cut."""
        for document in self.documents.values():
            current = document.current
            if current and current.pipeline != self.pipeline:
                document.put(replace(current, number=document.last + 1, pipeline=self.pipeline, begin=UNKNOWN))

    def trim(self, most: int) -> None:
        """Keeps ``most`` versions of each document, the newest, and from the horizon on no gap."""
        for document in self.documents.values():
            in_turn = sorted(document.versions, key=lambda one: math.inf if one.end is EVER else one.end)
            gone = [version for version in in_turn[: max(len(in_turn) - most, 0)] if version.end is not EVER]
            last = max((version.end or 0 for version in gone), default=0)
            document.versions = [one for one in document.versions if not _ended(one, last)]
            self.horizon = max(self.horizon, last)

    def listed(self) -> dict[str, int]:
        """The documents that are listed, with the numbers of their readable versions (0: none)."""
        return {
            document_id: document.current.number if document.current else 0
            for document_id, document in sorted(self.documents.items())
            if not document.deleted
        }

    def kept(self) -> dict[str, list[tuple[int, bool]]]:
        """The versions that are kept of each document, and whether they are readable."""
        return {
            document_id: [(version.number, version.end is EVER) for version in document.versions]
            for document_id, document in sorted(self.documents.items())
            if document.versions
        }


def groups_of(offers: Sequence[Offer]) -> list[list[Offer]]:
    """Offers as they are committed together: a document twice is two commits."""
    groups: list[list[Offer]] = [[]]
    for offer in offers:
        if offer.document_id in {other.document_id for other in groups[-1]}:
            groups.append([])
        groups[-1].append(offer)
    return groups


def _ended(version: ModelVersion, snapshot: int) -> bool:
    return version.end is not EVER and version.end <= snapshot

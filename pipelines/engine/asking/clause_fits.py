"""Which documents and chunks fit the clauses of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from pipelines.components.store.payload_filters import metadata_matcher, payload_matcher
from pipelines.components.store.payload_indexes import DOCUMENT
from pipelines.engine.parts.view import TenantView
from pipelines.filters.clauses import Clause
from pipelines.filters.combining import all_of
from pipelines.filters.sections import SECTIONS, section_fields
from pipelines.types import ClauseCount, Metadata

_MOST_SECTIONS = 20
"""How many of a document's sections a hint names."""


@dataclass(frozen=True, slots=True)
class TargetFits:
    """Whether each chunk of a document fits each clause, and what the document says of the fields in them."""

    chunks: Mapping[str, Sequence[bool]]
    metadata: Metadata

    def any(self, number: int) -> bool:
        """Return whether a chunk fits the clause of that number."""
        return any(fits[number] for fits in self.chunks.values())


class ClauseFits:
    """Tells and counts what fits clauses. Those about sections are asked of chunks, the others of documents.

    Args:
        view: What can be seen.
        clauses: The clauses of a search.
    """

    def __init__(self, view: TenantView, clauses: Sequence[Clause]) -> None:
        self._view = view
        self._clauses = clauses
        fields = view.profile.metadata.filterable
        self._sections = section_fields(fields)
        self._of_documents = {
            number: metadata_matcher(clause.where, fields)
            for number, clause in enumerate(clauses)
            if set(self._sections).isdisjoint(clause.fields)
        }
        self._of_chunks = {
            number: payload_matcher(clause.where)
            for number, clause in enumerate(clauses)
            if number not in self._of_documents
        }

    def of(self, metadata: Metadata, chunk_ids: Sequence[str]) -> TargetFits:
        """Return which clauses the chunks of a document fit; one without chunks is asked as one that has no section."""
        general = {number: fits(metadata) for number, fits in self._of_documents.items()}
        payloads = self._view.indexes.current.store.fetch(chunk_ids) if self._of_chunks else {}
        found = {}
        for chunk_id in chunk_ids or ("",):
            own = {number: fits(payloads.get(chunk_id, {})) for number, fits in self._of_chunks.items()}
            found[chunk_id] = [value for _, value in sorted((general | own).items())]
        sections = dict.fromkeys(section for payload in payloads.values() for section in payload.get(SECTIONS, ()))
        named = list(islice(sections, _MOST_SECTIONS))
        return TargetFits(found, {**metadata, **dict.fromkeys(self._sections, named)} if payloads else metadata)

    def counted(self, target: TargetFits, snapshot: int, as_of: int | None) -> tuple[ClauseCount, ...]:
        """Count the readable documents that fit each clause; empty without clauses."""
        if not self._clauses:
            return ()
        total, matches, left = 0, [0] * len(self._clauses), [0] * len(self._clauses)
        for readable in self._view.catalogue.readable_metadata(as_of):
            if not self._view.sees(readable):
                continue
            total, still = total + 1, True
            for number, fitting in self._of_documents.items():
                fits = fitting(readable)
                still = still and (fits or self._clauses[number].kind == "level")
                matches[number] += fits
                left[number] += still
        for number in self._of_chunks:
            matches[number] = self._with_chunks([self._clauses[number]], snapshot)
        for number in range(min(self._of_chunks, default=len(left)), len(left)):
            required = [clause for clause in self._clauses[: number + 1] if clause.kind != "level"]
            left[number] = self._with_chunks(required, snapshot)
        rows = [ClauseCount("can be read", total, total, fits=True)]
        for number, clause in enumerate(self._clauses):
            remaining = None if clause.kind == "level" else left[number]
            rows.append(ClauseCount(clause.text, matches[number], remaining, target.any(number)))
        return tuple(rows)

    def _with_chunks(self, clauses: Sequence[Clause], snapshot: int) -> int:
        """Count the documents of which a readable chunk fits all ``clauses``."""
        where = self._view.readable(snapshot, all_of(self._view.bounds, *(clause.where for clause in clauses)))
        return len({payload[DOCUMENT] for _, payload in self._view.indexes.current.store.scan(where)})

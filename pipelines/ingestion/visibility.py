"""Which chunks a reader sees: the integers on chunks that make versions appear and vanish as one.

A chunk is readable at snapshot ``S`` when ``valid_from <= S < valid_to``. New chunks are written with the snapshot that
their commit will have, so no reader sees them before; the commit in the catalogue then shows them all at once. What an
unfinished commit left behind is beyond the last snapshot, and is undone by that. The method is multiversion concurrency
control (Bernstein and Goodman, "Multiversion concurrency control", ACM TODS 8(4), 1983) with one writer per tenant.
"""

from __future__ import annotations

from collections.abc import Sequence

from qdrant_client import models

from pipelines.catalogue import NEVER
from pipelines.components.store.chunk_store import ChunkStore


def readable_at(snapshot: int, also: models.Filter | None = None, hidden: Sequence[str] = ()) -> models.Filter:
    """Return the chunks that a reader of ``snapshot`` sees, of those that ``also`` matches and of no ``hidden``
    document.

    What is not readable is excluded rather than what is readable required: nearly every chunk is, and requiring makes
    Qdrant gather them all from an index before it looks at one (3.4 ms against 1.1 ms at 10,000 chunks).
    """
    unseen = [_range("valid_from", gt=snapshot), _range("valid_to", lte=snapshot)]
    if hidden:
        unseen.append(_among(hidden))
    return models.Filter(must_not=unseen, must=[also] if also is not None else None)


def retire(store: ChunkStore, document_ids: Sequence[str], snapshot: int) -> None:
    """End the readable chunks of these documents as of ``snapshot``."""
    store.set_fields({"valid_to": snapshot}, chunks_of(document_ids, unended()))


def begun_before(snapshot: int) -> models.FieldCondition:
    """Matches chunks that a commit before ``snapshot`` wrote."""
    return _range("valid_from", lt=snapshot)


def unended() -> models.FieldCondition:
    """Matches chunks that no commit has ended."""
    return _range("valid_to", gte=NEVER)


def of_version(number: int) -> models.FieldCondition:
    """Matches chunks of the version of that number."""
    return models.FieldCondition(key="version", match=models.MatchValue(value=number))


def holding(place: int) -> tuple[models.FieldCondition, ...]:
    """Matches chunks that hold a place of their version's text."""
    return _range("start", lte=place), _range("end", gt=place)


def ended_by(snapshot: int) -> models.FieldCondition:
    """Matches chunks that nobody sees from ``snapshot`` on."""
    return _range("valid_to", lte=snapshot)


def undo_beyond(store: ChunkStore, snapshot: int) -> None:
    """Take back what a commit after ``snapshot`` wrote, where it never came to its end."""
    store.remove(models.Filter(must=[_range("valid_from", gt=snapshot)]))
    cut_off = models.Filter(must=[_range("valid_to", gt=snapshot, lt=NEVER)])
    if store.count(cut_off):  # every start asks, and a change would have to be flushed at its end
        store.set_fields({"valid_to": NEVER}, cut_off)


def only(chunk_ids: Sequence[str]) -> models.Filter:
    """Matches the chunks of these ids."""
    return models.Filter(must=[models.HasIdCondition(has_id=list(chunk_ids))])


def chunks_of(document_ids: Sequence[str], *conditions: models.FieldCondition) -> models.Filter:
    """Return every chunk of these documents, of all their versions, that meets ``conditions``."""
    return models.Filter(must=[_among(document_ids), *conditions])


def _among(document_ids: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key="document_id", match=models.MatchAny(any=list(document_ids)))


def _range(key: str, **bounds: float) -> models.FieldCondition:
    return models.FieldCondition(key=key, range=models.Range(**bounds))

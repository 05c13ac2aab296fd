"""How a tenant is used: what is found and asked most, and how long that takes.

A search only adds to a few dictionaries: a thread of its own writes the counts every few seconds. What a process that
is killed had not written is lost, which such counts can bear.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.purges import find_purged, hold_off_purges
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import DocumentUseRow, QueryUseRow, TimingRow, UnansweredRow
from pipelines.catalogue.write_behind import WriteBehind
from pipelines.types import AbstainReason, DocumentUse, QueryUse, Timing, Unanswered, Usage

Work = Literal["search", "ingest"]
_EVERYBODY = ""
_MOST_WAITING = 10_000
_MOST_QUERIES = 1000
_MOST_QUERY_CHARS = 500
_PER_STATEMENT = 300
_GROWTH = 1.05
"""How much longer than the bar before one bar of a histogram is: a percentile is exact to 5 %."""
_KEYS: Mapping[type[Any], tuple[str, ...]] = {
    DocumentUseRow: ("tenant", "scope", "document_id"),
    QueryUseRow: ("tenant", "scope", "key"),
    UnansweredRow: ("tenant", "scope", "key", "reason"),
    TimingRow: ("tenant", "scope", "kind", "bar"),
}
_SUMS: Mapping[type[Any], tuple[str, ...]] = {
    DocumentUseRow: ("count",),
    QueryUseRow: ("count", "relevance"),
    UnansweredRow: ("count",),
    TimingRow: ("count", "items", "milliseconds"),
}
_Table = type[DocumentUseRow] | type[QueryUseRow] | type[UnansweredRow] | type[TimingRow]
_Questions = type[QueryUseRow] | type[UnansweredRow]
_Answered = set[tuple[str, bytes]]
_Taken = tuple[dict[tuple[_Table, tuple[Any, ...]], dict[str, Any]], _Answered]


@dataclass(frozen=True, slots=True)
class _Among:
    """Whose use is read: that of callers of a scope, and of a key; None: of any."""

    scope: str | None = None
    key: str | None = None

    def clauses(self, table: _Table) -> Iterator[sa.ColumnElement[bool]]:
        if self.key is not None:
            yield table.scope == _place(self.scope, self.key)
        elif self.scope is not None:
            below = f"{self.scope}\n"
            yield sa.or_(table.scope == self.scope, sa.func.substr(table.scope, 1, len(below)) == below)


class UsageLog(WriteBehind):
    """Counts one tenant's use, by scope and by key.

    Reading raises StoreUnavailable when the database does not do its part; counting never fails.
    """

    def __init__(self, engine: sa.Engine, tenant: str) -> None:
        super().__init__(engine, tenant, "usage")
        self._waiting: dict[tuple[_Table, tuple[Any, ...]], dict[str, Any]] = {}
        self._answered: _Answered = set()  # scope, key

    def searched(
        self,
        scope: str | None,
        query: str,
        document_ids: Iterable[str],
        best: float,
        took_ms: float | None,
        *,
        key: str = "",
    ) -> None:
        """Count a search.

        Args:
            scope: That of the caller; None: the whole tenant.
            query: What was asked.
            document_ids: The documents among the hits.
            best: The best hit's score.
            took_ms: None where an earlier result was given again: that is no search whose time counts.
            key: The name of the caller's key, "" for none.
        """
        place, moment = _place(scope, key), now()
        text, digest = counted_question(query)
        with self._lock:
            for document_id in set(document_ids):
                self._add(DocumentUseRow, (place, document_id), {"count": 1}, last=moment)
            if text:
                self._add(QueryUseRow, (place, digest), {"count": 1, "relevance": best}, query=text, last=moment)
            if took_ms is not None:
                self._time("search", place, 1, 1, took_ms)
        self._write_later()

    def answered(self, scope: str | None, question: str, reason: AbstainReason | None, *, key: str = "") -> None:
        """Count a question that the documents do not answer, for that reason; None: they do now."""
        place, (text, digest) = _place(scope, key), counted_question(question)
        with self._lock:
            if reason is not None:
                self._add(UnansweredRow, (place, digest, reason), {"count": 1}, query=text, last=now())
            elif len(self._answered) < _MOST_WAITING:
                answered = (place, digest)
                self._answered.add(answered)
                for waiting in [one for one in self._waiting if one[0] is UnansweredRow and one[1][:2] == answered]:
                    del self._waiting[waiting]
        self._write_later()

    def ingested(self, scope: str | None, documents: int, chunks: int, took_ms: float) -> None:
        """Count documents that were ingested together, their time and their chunks."""
        with self._lock:
            self._time("ingest", _place(scope), documents, chunks, took_ms)
        self._write_later()

    def usage(self, scope: str | None, most: int, *, key: str | None = None) -> Usage:
        """Return the use by callers of ``scope``, and of ``key``; None: of any. Ingestion is not counted by key."""
        self.flush()
        asked = _Among(scope, key)
        with self._session() as session:
            return Usage(
                searches=self._timing(session, "search", asked),
                ingestion=self._timing(session, "ingest", _Among(scope)),
                documents=tuple(self._documents(session, asked, most=most)),
                queries=tuple(self._queries(session, asked, most)),
                unanswered=tuple(self._unanswered(session, asked, most)),
            )

    def uses_of(self, scope: str | None, document_ids: Sequence[str] | None = None) -> dict[str, DocumentUse]:
        """Return how often and when these documents were found, by default all; those that never were are left out."""
        self.flush()
        with self._session() as session:
            return {use.document_id: use for use in self._documents(session, _Among(scope), among=document_ids)}

    # -----------------------------------------------------------------------------------------------------------------

    def _time(self, kind: Work, scope: str, count: int, items: int, milliseconds: float) -> None:
        if count:
            sums = {"count": count, "items": items, "milliseconds": milliseconds}
            self._add(TimingRow, (scope, kind, _bar(milliseconds / count)), sums)

    def _add(self, table: _Table, key: tuple[Any, ...], sums: Mapping[str, float], **latest: Any) -> None:
        row = self._waiting.setdefault((table, key), dict.fromkeys(sums, 0))
        for name, value in sums.items():
            row[name] += value
        row.update(latest)

    def _take(self) -> _Taken | None:
        taken = (self._waiting, self._answered)
        self._waiting, self._answered = {}, set()
        return taken if any(taken) else None

    def _put_back(self, taken: _Taken) -> None:
        waiting, answered = taken
        answered_since = self._answered
        self._answered = answered_since | answered
        for (table, key), row in waiting.items():
            if len(self._waiting) >= _MOST_WAITING:
                return
            if table is UnansweredRow and key[:2] in answered_since:
                continue
            since = self._waiting.get((table, key), {})
            self._add(table, key, {name: row[name] for name in _SUMS[table]})
            self._waiting[table, key] |= {name: since.get(name, row[name]) for name in row if name not in _SUMS[table]}

    def _write(self, taken: _Taken) -> None:
        waiting, answered = taken
        rows: dict[_Table, list[dict[str, Any]]] = {}
        for (table, key), values in sorted(waiting.items(), key=lambda one: str(one[0])):  # else two processes may wait
            named = dict(zip(_KEYS[table], (self._tenant, *key), strict=True))
            rows.setdefault(table, []).append({**named, **values})
        with self._session() as session, session.begin():
            hold_off_purges(session, self._tenant)
            self._strike(session, answered)
            for table, added in rows.items():
                session.execute(self._added(table), added)
            self._forget_purged(session, {row["document_id"] for row in rows.get(DocumentUseRow, ())})
            for table in (QueryUseRow, UnansweredRow):
                if table in rows:
                    self._trim(session, table)

    def _forget_purged(self, session: Session, document_ids: set[str]) -> None:
        """Forget documents that were found while they were purged."""
        purged = find_purged(session, self._tenant, document_ids)
        mine = (DocumentUseRow.tenant == self._tenant, DocumentUseRow.document_id.in_(purged))
        session.execute(sa.delete(DocumentUseRow).where(*mine))

    def _strike(self, session: Session, answered: _Answered) -> None:
        """Forget unanswered questions."""
        keys = sorted(answered)
        for start in range(0, len(keys), _PER_STATEMENT):
            mine = sa.tuple_(UnansweredRow.scope, UnansweredRow.key).in_(keys[start : start + _PER_STATEMENT])
            session.execute(sa.delete(UnansweredRow).where(UnansweredRow.tenant == self._tenant, mine))

    def _added(self, table: _Table) -> Any:
        insert = self._insert(table)
        summed: dict[str, Any] = {name: getattr(table, name) + insert.excluded[name] for name in _SUMS[table]}
        if table is not TimingRow:
            summed["last"] = insert.excluded["last"]
        return insert.on_conflict_do_update(index_elements=_KEYS[table], set_=summed)

    def _trim(self, session: Session, table: _Questions) -> None:
        """Forget the questions that were not asked for longest, beyond the most that are kept."""
        mine = table.tenant == self._tenant
        oldest = sa.select(table.last).where(mine).order_by(table.last.desc())
        bound = session.scalar(oldest.offset(_MOST_QUERIES).limit(1))
        if bound is not None:
            session.execute(sa.delete(table).where(mine, table.last <= bound))

    def _documents(
        self, session: Session, asked: _Among, most: int | None = None, among: Sequence[str] | None = None
    ) -> list[DocumentUse]:
        count, last = sa.func.sum(DocumentUseRow.count), _latest(DocumentUseRow)
        query = sa.select(DocumentUseRow.document_id, count, last).where(*self._of(DocumentUseRow, asked))
        if among is not None:
            query = query.where(DocumentUseRow.document_id.in_(among))
        query = query.group_by(DocumentUseRow.document_id).order_by(count.desc(), DocumentUseRow.document_id)
        return [DocumentUse(one, int(times), when) for one, times, when in session.execute(query.limit(most))]

    def _queries(self, session: Session, asked: _Among, most: int) -> list[QueryUse]:
        count, relevance = sa.func.sum(QueryUseRow.count), sa.func.sum(QueryUseRow.relevance)
        columns = (sa.func.max(QueryUseRow.query), count, relevance, _latest(QueryUseRow))
        query = sa.select(*columns).where(*self._of(QueryUseRow, asked))
        query = query.group_by(QueryUseRow.key).order_by(count.desc(), QueryUseRow.key)
        worded = (row for row in session.execute(query) if any(map(str.isalnum, row[0])))
        return [
            QueryUse(text, int(times), total / int(times), last) for text, times, total, last in islice(worded, most)
        ]

    def _unanswered(self, session: Session, asked: _Among, most: int) -> list[Unanswered]:
        count, last = sa.func.sum(UnansweredRow.count), _latest(UnansweredRow)
        columns = (sa.func.max(UnansweredRow.query), UnansweredRow.reason, count, last)
        query = sa.select(*columns).where(*self._of(UnansweredRow, asked))
        query = query.group_by(UnansweredRow.key, UnansweredRow.reason).order_by(count.desc(), last.desc())
        return [
            Unanswered(text, reason, int(times), when)
            for text, reason, times, when in session.execute(query.limit(most))
        ]

    def _timing(self, session: Session, kind: Work, asked: _Among) -> Timing:
        columns = (sa.func.sum(TimingRow.count), sa.func.sum(TimingRow.items), sa.func.sum(TimingRow.milliseconds))
        query = sa.select(TimingRow.bar, *columns).where(*self._of(TimingRow, asked), TimingRow.kind == kind)
        bars = session.execute(query.group_by(TimingRow.bar).order_by(TimingRow.bar)).all()
        counts = [(int(bar), int(count)) for bar, count, _, _ in bars]
        return Timing(
            count=sum(count for _, count in counts),
            items=sum(int(items) for _, _, items, _ in bars),
            total_ms=sum(milliseconds for *_, milliseconds in bars),
            p95_ms=_percentile(counts, 0.95),
            p99_ms=_percentile(counts, 0.99),
        )

    def _of(self, table: _Table, asked: _Among) -> tuple[sa.ColumnElement[bool], ...]:
        return (table.tenant == self._tenant, *asked.clauses(table))


def _place(scope: str | None, key: str = "") -> str:
    """Return what use is counted under: a scope, and below it a key; neither holds a line feed."""
    return f"{scope or _EVERYBODY}\n{key}" if key else scope or _EVERYBODY


def counted_question(question: str) -> tuple[str, bytes]:
    """Return a question as it is listed, and what it is counted under."""
    text = _storable(" ".join(question.split())[:_MOST_QUERY_CHARS])
    return text, hashlib.sha256(text.casefold().encode()).digest()


def _storable(text: str) -> str:
    """``text`` as every database takes it: one that is refused would hold up all that waits with it."""
    return text.replace("\0", " ").encode(errors="replace").decode()


def _latest(table: _Questions | type[DocumentUseRow]) -> sa.Function[datetime]:
    return sa.func.max(table.last, type_=table.last.type)


def _bar(milliseconds: float) -> int:
    return math.ceil(math.log(max(milliseconds, 0.01), _GROWTH))


def _percentile(counts: Sequence[tuple[int, int]], share: float) -> float:
    """Return the time that ``share`` of the work stays below: the end of the bar in which that is reached."""
    left = share * sum(count for _, count in counts)
    for bar, count in counts:
        left -= count
        if left <= 0:
            return float(_GROWTH**bar)
    return 0.0

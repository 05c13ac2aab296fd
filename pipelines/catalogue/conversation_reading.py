"""A tenant's conversations as they are read from SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.cursors import read_cursor, written_cursor
from pipelines.catalogue.database import Database, is_storable
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow, TurnRow, TurnSourceRow
from pipelines.catalogue.turns import to_turn
from pipelines.errors import ConversationNotFound
from pipelines.types import Conversation, ConversationPage, Turn


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long conversations are kept, how many turns of each, and after how long a turn is given up as dead."""

    ttl: timedelta
    turns: int
    stale: timedelta


class ConversationReader(Database):
    """The conversations of one scope of a tenant; every method raises StoreUnavailable as the catalogue's do.

    Args:
        engine: The database.
        tenant: Whose they are.
        keeping: What is kept.
        scope: Names the scope of who asks; "" is the whole tenant. Conversations of another scope do not exist.
    """

    def __init__(self, engine: sa.Engine, tenant: str, keeping: Keeping, scope: str = "") -> None:
        super().__init__(engine, tenant)
        self._keeping = keeping
        self._scope = scope

    @property
    def kept(self) -> bool:
        """Whether conversations are kept at all."""
        return self._keeping.ttl > timedelta()

    def turns(self, conversation_id: str) -> tuple[Turn, ...]:
        """A conversation's turns, the oldest first; none where there is no such conversation."""
        with self._session() as session:
            row = self._row(session, conversation_id)
            return () if row is None else self._turns(session, row.conversation_id)

    def conversation(self, conversation_id: str) -> Conversation:
        """A conversation with its turns.

        Raises:
            ConversationNotFound: There is none of this id.
        """
        with self._session() as session:
            row = self._row(session, conversation_id)
            turns = () if row is None else self._turns(session, row.conversation_id)
            if row is None or not turns:
                raise ConversationNotFound(conversation_id.encode(errors="backslashreplace").decode())
            return replace(self._listed(row, turns[0].question, len(turns)), turns=turns)

    def conversations(self, limit: int, cursor: str | None) -> ConversationPage:
        """The conversations behind ``cursor``, the newest first, without their turns.

        Raises:
            InvalidRequest: ``cursor`` is none that was given out.
        """
        begun, name = ConversationRow.created_at, ConversationRow.conversation_id
        query = sa.select(ConversationRow).where(*self._mine, ConversationRow.turns > 0)
        if cursor is not None:
            moment, last = read_cursor(cursor)
            query = query.where(sa.or_(begun < moment, sa.and_(begun == moment, name < last)))
        with self._session() as session:
            rows = session.scalars(query.order_by(begun.desc(), name.desc()).limit(limit + 1)).all()
            shown = rows[:limit]
            firsts = self._firsts(session, [row.conversation_id for row in shown])
        listed = (self._listed(row, *firsts[row.conversation_id]) for row in shown)
        end = shown[-1] if len(rows) > limit else None
        further = None if end is None else written_cursor(end.created_at, end.conversation_id)
        return ConversationPage(tuple(listed), further)

    @property
    def _mine(self) -> tuple[sa.ColumnElement[bool], ...]:
        """The conversations of the scope that are not over yet."""
        alive = ConversationRow.updated_at >= now() - self._keeping.ttl
        return (ConversationRow.tenant == self._tenant, ConversationRow.scope == self._scope, alive)

    def _key(self, conversation_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (*self._mine, ConversationRow.conversation_id == conversation_id)

    def _row(self, session: Session, conversation_id: str) -> ConversationRow | None:
        if not is_storable(conversation_id):
            return None
        return session.scalars(sa.select(ConversationRow).where(*self._key(conversation_id))).first()

    def _turns(self, session: Session, conversation_id: str) -> tuple[Turn, ...]:
        query = sa.select(TurnRow).where(*self._of(TurnRow, conversation_id)).order_by(TurnRow.number)
        return tuple(to_turn(row) for row in session.scalars(query))

    def _of(self, row: type[TurnRow] | type[TurnSourceRow], conversation_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (row.tenant == self._tenant, row.scope == self._scope, row.conversation_id == conversation_id)

    def _firsts(self, session: Session, names: Sequence[str]) -> dict[str, tuple[str, int]]:
        """The first question that is kept of each conversation, and how many turns."""
        mine = (TurnRow.tenant == self._tenant, TurnRow.scope == self._scope, TurnRow.conversation_id.in_(names))
        query = sa.select(TurnRow.conversation_id, TurnRow.question).where(*mine).order_by(TurnRow.number)
        found: dict[str, tuple[str, int]] = {}
        for name, question in session.execute(query):
            first, length = found.get(name, (question, 0))
            found[name] = (first, length + 1)
        return found

    def _listed(self, row: ConversationRow, title: str, length: int) -> Conversation:
        expires = row.updated_at + self._keeping.ttl
        return Conversation(row.conversation_id, title, length, row.created_at, row.updated_at, expires)

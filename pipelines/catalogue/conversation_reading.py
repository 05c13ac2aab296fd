"""A tenant's conversations as they are read from SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.cursors import read_cursor, written_cursor
from pipelines.catalogue.database import Database, is_storable
from pipelines.catalogue.owners import Owner, Owners
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow, TurnRow, TurnSourceRow
from pipelines.catalogue.turns import to_turn
from pipelines.errors import ConversationAmbiguous, ConversationNotFound
from pipelines.types import Conversation, ConversationPage, Turn


@dataclass(frozen=True, slots=True)
class ConversationLimits:
    """How long conversations are kept, how many turns of each, and after how long a turn is given up as dead.

    ``most``: how many conversations a tenant may have; 0: any number.
    """

    ttl: timedelta
    turns: int
    stale: timedelta
    most: int = 0


NOBODY = Owner()
ANYBODY = Owners()


class ConversationReader(Database):
    """The conversations of a tenant that one caller sees; every method raises StoreUnavailable as the catalogue's do.

    Args:
        engine: The database.
        tenant: Whose they are.
        keeping: What is kept.
        owner: The owner of the turns that the caller adds.
        seen: Whose conversations the caller sees; others do not exist for it.
    """

    def __init__(
        self,
        engine: sa.Engine,
        tenant: str,
        keeping: ConversationLimits,
        owner: Owner = NOBODY,
        seen: Owners = ANYBODY,
    ) -> None:
        super().__init__(engine, tenant)
        self._keeping = keeping
        self._owner = owner
        self._seen = seen

    @property
    def kept(self) -> bool:
        """Whether conversations are kept at all."""
        return self._keeping.ttl > timedelta()

    def turns(self, conversation_id: str) -> tuple[Turn, ...]:
        """Return the turns of the caller's own conversation, the oldest first; none where there is no such
        conversation.
        """
        with self._session() as session:
            own = session.get(ConversationRow, self._own(conversation_id)) if is_storable(conversation_id) else None
            return () if own is None or not self._alive(own) else self._turns(session, own)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation with its turns.

        Raises:
            ConversationNotFound: The caller sees none of this id.
            ConversationAmbiguous: It sees several, of others.
        """
        with self._session() as session:
            row = self._row(session, conversation_id)
            turns = () if row is None else self._turns(session, row)
            if row is None or not turns:
                raise ConversationNotFound(conversation_id.encode(errors="backslashreplace").decode())
            return replace(self._listed(row, turns[0].question, len(turns)), turns=turns)

    def conversations(self, limit: int, cursor: str | None) -> ConversationPage:
        """Return the conversations behind ``cursor``, the newest first, without their turns.

        Raises:
            InvalidRequest: ``cursor`` is not a cursor issued by this API.
        """
        begun, name = ConversationRow.created_at, ConversationRow.conversation_id
        query = sa.select(ConversationRow).where(*self._mine, ConversationRow.turns > 0)
        if cursor is not None:
            moment, last = read_cursor(cursor)
            query = query.where(sa.or_(begun < moment, sa.and_(begun == moment, name < last)))
        with self._session() as session:
            rows = session.scalars(query.order_by(begun.desc(), name.desc()).limit(limit + 1)).all()
            shown = rows[:limit]
            firsts = self._firsts(session, shown)
        listed = (self._listed(row, *firsts[row.owner, row.conversation_id]) for row in shown)
        end = shown[-1] if len(rows) > limit else None
        further = None if end is None else written_cursor(end.created_at, end.conversation_id)
        return ConversationPage(tuple(listed), further)

    @property
    def _mine(self) -> tuple[sa.ColumnElement[bool], ...]:
        """The conversations that are seen and not over yet."""
        alive = ConversationRow.updated_at >= now() - self._keeping.ttl
        return (ConversationRow.tenant == self._tenant, alive, *self._seen.clauses())

    def _alive(self, row: ConversationRow) -> bool:
        return row.updated_at >= now() - self._keeping.ttl

    def _own(self, conversation_id: str) -> tuple[str, str, str]:
        return (self._tenant, self._owner.text, conversation_id)

    def _key(self, conversation_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (*self._mine, ConversationRow.conversation_id == conversation_id)

    def _row(self, session: Session, conversation_id: str) -> ConversationRow | None:
        if not is_storable(conversation_id):
            return None
        newest = (
            sa.select(ConversationRow).where(*self._key(conversation_id)).order_by(ConversationRow.updated_at.desc())
        )
        rows = session.scalars(newest).all()
        own = next((row for row in rows if row.owner == self._owner.text), None)
        if own is None and len({(row.owner_key, row.owner_user) for row in rows}) > 1:
            raise ConversationAmbiguous(conversation_id)
        return own or next(iter(rows), None)

    def _turns(self, session: Session, of: ConversationRow) -> tuple[Turn, ...]:
        query = sa.select(TurnRow).where(*self._of(TurnRow, of.owner, of.conversation_id)).order_by(TurnRow.number)
        return tuple(to_turn(row) for row in session.scalars(query))

    def _of(
        self, row: type[TurnRow] | type[TurnSourceRow], owner: str, conversation_id: str
    ) -> tuple[sa.ColumnElement[bool], ...]:
        return (row.tenant == self._tenant, row.owner == owner, row.conversation_id == conversation_id)

    def _firsts(self, session: Session, shown: Sequence[ConversationRow]) -> dict[tuple[str, str], tuple[str, int]]:
        """Return the first question that is kept of each conversation, and how many turns, by owner and id."""
        names = [(row.owner, row.conversation_id) for row in shown]
        mine = (TurnRow.tenant == self._tenant, sa.tuple_(TurnRow.owner, TurnRow.conversation_id).in_(names))
        query = sa.select(TurnRow.owner, TurnRow.conversation_id, TurnRow.question)
        found: dict[tuple[str, str], tuple[str, int]] = {}
        for owner, name, question in session.execute(query.where(*mine).order_by(TurnRow.number)):
            first, length = found.get((owner, name), (question, 0))
            found[owner, name] = (first, length + 1)
        return found

    def _listed(self, row: ConversationRow, title: str, length: int) -> Conversation:
        expires = row.updated_at + self._keeping.ttl
        return Conversation(
            row.conversation_id,
            title,
            length,
            row.created_at,
            row.updated_at,
            expires,
            key=row.owner_key,
            user=row.owner_user,
        )

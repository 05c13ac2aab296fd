"""A tenant's conversations in SQL: turns that are stored whole or not at all, one at a time."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.conversation_reading import ANYBODY, NOBODY, ConversationLimits, ConversationReader
from pipelines.catalogue.database import one_at_a_time
from pipelines.catalogue.owners import Owner, Owners, owner_of, owners_seen
from pipelines.catalogue.purges import hold_off_purges
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow, TurnRow, TurnSourceRow
from pipelines.catalogue.turn_claims import TurnClaims
from pipelines.catalogue.turns import erase_lost, turn_row
from pipelines.errors import CatalogueClosed, ConversationBusy, ConversationNotFound, QuotaSpent
from pipelines.types import Answer, Caller, Turn

_UNLOADED: Final = {"synchronize_session": False}
"""Of changes to rows that the session has not loaded: it need not look for them."""
Sources = frozenset[tuple[str, int]]
"""Documents and their versions."""


@dataclass(frozen=True, slots=True)
class OpenedTurn:
    """A turn in progress, the turns before it, and a summary of those up to ``summarised``.

    Of a conversation whose id was made up just now nothing stands in the database yet: it has no ``claim``.
    """

    conversation_id: str
    claim: str | None = None
    turns: tuple[Turn, ...] = ()
    summary: str | None = None
    summarised: int = 0


class ConversationRecords(ConversationReader):
    """The conversations of a tenant that one caller sees, and turns in progress; see `ConversationReader`.

    Args:
        engine, tenant, keeping, owner, seen: See `ConversationReader`.
        claims: What renews the claims of turns in progress, where other processes share the database.
    """

    def __init__(
        self,
        engine: sa.Engine,
        tenant: str,
        keeping: ConversationLimits,
        owner: Owner = NOBODY,
        seen: Owners = ANYBODY,
        *,
        claims: TurnClaims | None = None,
    ) -> None:
        super().__init__(engine, tenant, keeping, owner, seen)
        self._claims = claims

    def of(self, caller: Caller, scope: str, *, key: str | None = None, user: str | None = None) -> ConversationRecords:
        """Return the conversations that ``caller``, limited to ``scope``, sees; see `owners_seen`."""
        owner, seen = owner_of(caller, scope), owners_seen(caller, scope, key, user)
        return ConversationRecords(self._engine, self._tenant, self._keeping, owner, seen, claims=self._claims)

    @property
    def full(self) -> bool:
        """Whether no conversation may be begun, because the tenant has as many as the profile allows."""
        if not self._keeping.most:
            return False
        with self._session() as session, session.begin():
            self._expire(session)
            return self._is_full(session)

    def _is_full(self, session: Session) -> bool:
        mine = sa.select(sa.func.count()).select_from(ConversationRow).where(ConversationRow.tenant == self._tenant)
        return 0 < self._keeping.most <= (session.scalar(mine) or 0)

    def free(self) -> None:
        """Release turns that a dead process left unfinished; no other process may work on the tenant."""
        with self._session() as session, session.begin():
            mine = (ConversationRow.tenant == self._tenant, ConversationRow.claim.is_not(None))
            session.execute(sa.delete(ConversationRow).where(*mine, ConversationRow.turns == 0))
            session.execute(sa.update(ConversationRow).where(*mine).values(claim=None, claimed_at=None))

    def begin(self, conversation_id: str | None) -> OpenedTurn:
        """Begin a turn of a conversation; the conversation is created if there is none of this id (None: a new one).

        Raises:
            ConversationBusy: Another turn of it is in progress.
            QuotaSpent: It would be one more than the profile allows.
        """
        if conversation_id is None:
            return OpenedTurn(str(uuid.uuid4()))
        with self._session() as session:
            try:
                with session.begin():
                    self._expire(session)
                    underway = self._claim(session, conversation_id)
            except sa.exc.IntegrityError:  # another process began it at the same moment
                raise ConversationBusy(conversation_id) from None
        if self._claims is not None and underway.claim is not None:
            self._claims.add(underway.claim)
        return underway

    def end(self, underway: OpenedTurn) -> None:
        """End a turn without an answer: nothing of it is left. Of one that ended before nothing changes."""
        if underway.claim is None:
            return
        mine = self._claimed(underway)
        # A closed tenant keeps the turn: opening it again or continuing the conversation ends it.
        with self._renewed(underway), suppress(CatalogueClosed), self._session() as session, session.begin():
            session.execute(sa.delete(ConversationRow).where(*mine, ConversationRow.turns == 0))
            session.execute(sa.update(ConversationRow).where(*mine).values(claim=None, claimed_at=None))

    def finish(self, underway: OpenedTurn, answer: Answer, sources: Sources, inherits: bool) -> None:
        """End a turn with its answer; nothing is kept if the conversation or its sources were deleted since.

        Args:
            underway: The turn, with the present summary.
            answer: The answer.
            sources: What it was made of.
            inherits: Whether it was also made of earlier turns.
        """
        with self._renewed(underway), self._session() as session, session.begin():
            hold_off_purges(session, self._tenant)
            number = self._counted(session, underway)
            if number is None:
                return
            name = underway.conversation_id
            made = sources | (self._sources(session, name) if inherits else set())
            session.add(turn_row(self._key_of(name, number), answer))
            session.flush()
            session.add_all(
                TurnSourceRow(**self._key_of(name, number), document_id=document_id, version=version)
                for document_id, version in made
            )
            session.flush()
            if (last := number - self._keeping.turns) > 0:
                going = (*self._of(TurnRow, self._owner.text, name), TurnRow.number <= last)
                session.execute(sa.delete(TurnRow).where(*going), execution_options=_UNLOADED)
            mine = self._of(TurnSourceRow, self._owner.text, name)
            erase_lost(session, self._tenant, {document_id for document_id, _ in made}, *mine)

    def delete(self, conversation_id: str) -> int:
        """Delete a conversation and return how many turns it had; a turn in progress is not kept either.

        Raises:
            ConversationNotFound: The caller sees none of this id.
            ConversationAmbiguous: It sees several, of others.
        """
        with self._session() as session, session.begin():
            row = self._row(session, conversation_id)
            length = 0 if row is None else len(self._turns(session, row))
            if row is None or not length:
                raise ConversationNotFound(conversation_id.encode(errors="backslashreplace").decode())
            session.delete(row)
        return length

    def delete_all(self) -> int:
        """Delete every conversation that the caller sees, even with a turn in progress; return how many there were."""
        with self._session() as session, session.begin():
            seen = (ConversationRow.tenant == self._tenant, *self._seen.clauses())
            return len(session.execute(sa.delete(ConversationRow).where(*seen).returning(ConversationRow.owner)).all())

    def erase(self, document_id: str) -> None:
        """Erase what turns of any scope say that were made of versions of a document that are not kept any more."""
        with self._session() as session, session.begin():
            erase_lost(session, self._tenant, {document_id})

    @contextmanager
    def _renewed(self, underway: OpenedTurn) -> Iterator[None]:
        """Renew the claim of a turn until the block ends, which may have to wait for a purge, and then no more."""
        try:
            yield
        finally:
            if self._claims is not None and underway.claim is not None:
                self._claims.discard(underway.claim)

    def _claimed(self, underway: OpenedTurn) -> tuple[sa.ColumnElement[bool], ...]:
        key = (ConversationRow.tenant == self._tenant, ConversationRow.owner == self._owner.text)
        named = ConversationRow.conversation_id == underway.conversation_id
        return (*key, named, ConversationRow.claim == underway.claim)

    def _claim(self, session: Session, conversation_id: str) -> OpenedTurn:
        row = session.get(ConversationRow, self._own(conversation_id), with_for_update=True)
        if row is None:
            if self._keeping.most:
                one_at_a_time(session, f"conversations of {self._tenant}")
            if self._is_full(session):
                raise QuotaSpent("conversations", self._keeping.most)
            row = self._new(conversation_id, turns=0)
            session.add(row)
        elif row.claimed_at is not None and abs(now() - row.claimed_at) < self._keeping.stale:
            raise ConversationBusy(conversation_id)
        row.claim, row.claimed_at = str(uuid.uuid4()), now()
        session.flush()
        turns = self._turns(session, row)
        return OpenedTurn(conversation_id, row.claim, turns, row.summary, row.summarised)

    def _expire(self, session: Session) -> None:
        """Delete expired conversations of any owner."""
        over = ConversationRow.updated_at < now() - self._keeping.ttl
        expired = sa.delete(ConversationRow).where(ConversationRow.tenant == self._tenant, over)
        session.execute(expired, execution_options=_UNLOADED)

    def _new(self, conversation_id: str, turns: int) -> ConversationRow:
        begun = now()
        return ConversationRow(
            tenant=self._tenant,
            owner=self._owner.text,
            owner_scope=self._owner.scope,
            owner_key=self._owner.key,
            owner_user=self._owner.user,
            conversation_id=conversation_id,
            turns=turns,
            summarised=0,
            created_at=begun,
            updated_at=begun,
        )

    def _key_of(self, conversation_id: str, number: int) -> dict[str, Any]:
        return {"tenant": self._tenant, "owner": self._owner.text, "conversation_id": conversation_id, "number": number}

    def _counted(self, session: Session, underway: OpenedTurn) -> int | None:
        """Return the number of the turn that ends; None where it no longer holds the conversation."""
        if underway.claim is None:
            self._expire(session)
            session.add(self._new(underway.conversation_id, turns=1))
            session.flush()
            return 1
        values = {
            "turns": ConversationRow.turns + 1,
            "updated_at": now(),
            "summary": underway.summary,
            "summarised": underway.summarised,
            "claim": None,
            "claimed_at": None,
        }
        ending = sa.update(ConversationRow).where(*self._claimed(underway)).values(values)
        return session.scalar(ending.returning(ConversationRow.turns))

    def _sources(self, session: Session, conversation_id: str) -> set[tuple[str, int]]:
        query = sa.select(TurnSourceRow.document_id, TurnSourceRow.version).distinct()
        made = session.execute(query.where(*self._of(TurnSourceRow, self._owner.text, conversation_id)))
        return {(name, version) for name, version in made}

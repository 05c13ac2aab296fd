"""Turns of conversations as they stand in their rows, and what becomes of them when a document is purged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow, TurnRow, TurnSourceRow, VersionRow
from pipelines.types import Answer, Citation, PlacedPicture, Span, Turn

ERASED = "This answer was erased with a document that it was made of."
ERASED_QUESTION = "This question was erased with a document."
TurnKey = tuple[str, str, str, int]
"""Tenant, owner, conversation and number of a turn."""
_FACTS = ("abstained", "confidence", "model", "llm_generated", "degraded", "snapshot", "variant")
_TURN = (TurnRow.tenant, TurnRow.owner, TurnRow.conversation_id, TurnRow.number)
_SOURCE = (TurnSourceRow.tenant, TurnSourceRow.owner, TurnSourceRow.conversation_id, TurnSourceRow.number)


def turn_row(key: Mapping[str, Any], answer: Answer) -> TurnRow:
    """Return the row of a turn."""
    sent, reply = answer.exchange or (None, None)
    return TurnRow(
        **key,
        answer_id=answer.answer_id,
        question=answer.question,
        rewritten_question=answer.rewritten_question,
        text=answer.text,
        citations=[asdict(citation) for citation in answer.citations],
        facts={name: getattr(answer, name) for name in _FACTS},
        sent=sent,
        said=reply,
        erased=False,
        created_at=now(),
    )


def to_turn(row: TurnRow) -> Turn:
    """Return a turn as it is read."""
    exchange = None if row.sent is None or row.said is None else (row.sent, row.said)
    return Turn(
        number=row.number,
        question=row.question,
        text=row.text,
        created_at=row.created_at,
        answer_id=row.answer_id,
        rewritten_question=row.rewritten_question,
        citations=tuple(map(_citation, row.citations)),
        erased=row.erased,
        exchange=exchange,
        **row.facts,
    )


def erase_lost(session: Session, tenant: str, document_ids: Iterable[str], *among: sa.ColumnElement[bool]) -> None:
    """Erase what turns say that were made of versions of these documents that are not kept; the caller commits.

    Args:
        session: A transaction that holds off purges.
        tenant: Whose turns.
        document_ids: The documents.
        among: Conditions of `TurnSourceRow`; none: all turns are looked at.
    """
    lost = (*_lost_sources(tenant, document_ids), *among)
    if turns := _turns_of(session, lost):
        erase_turns(session, turns)
        session.execute(sa.delete(TurnSourceRow).where(*lost))


def lost_turns(session: Session, tenant: str, document_ids: Iterable[str]) -> set[TurnKey]:
    """Return the turns that were made of versions of these documents that are not kept."""
    return _turns_of(session, _lost_sources(tenant, document_ids))


def _turns_of(session: Session, sources: Sequence[sa.ColumnElement[bool]]) -> set[TurnKey]:
    rows = session.execute(sa.select(*_SOURCE).where(*sources))
    return {(of, owner, conversation_id, number) for of, owner, conversation_id, number in rows}


def erase_turns(session: Session, keys: Iterable[TurnKey], **also: str) -> None:
    """Erase what these turns say, and set columns of them; a summary may tell of any turn, and goes with the first."""
    nothing: dict[str, Any] = {
        "text": ERASED,
        "citations": [],
        "sent": None,
        "said": None,
        "rewritten_question": None,
        "erased": True,
    }
    for key in keys:
        whole = (ConversationRow.tenant, ConversationRow.owner, ConversationRow.conversation_id)
        conversation = [column == value for column, value in zip(whole, key, strict=False)]
        session.execute(  # first, in the order in which a deletion locks: otherwise each could wait for the other
            sa.update(ConversationRow).where(*conversation).values(summary=None, claim=None, claimed_at=None)
        )
        here = [column == value for column, value in zip(_TURN, key, strict=True)]
        session.execute(sa.update(TurnRow).where(*here).values(nothing | also))


def _lost_sources(tenant: str, document_ids: Iterable[str]) -> tuple[sa.ColumnElement[bool], ...]:
    kept = sa.exists().where(
        VersionRow.tenant == TurnSourceRow.tenant,
        VersionRow.document_id == TurnSourceRow.document_id,
        VersionRow.version == TurnSourceRow.version,
    )
    return (TurnSourceRow.tenant == tenant, TurnSourceRow.document_id.in_(sorted(document_ids)), ~kept)


def _citation(stored: dict[str, Any]) -> Citation:
    span = Span(**stored["span"])
    picture = stored.get("picture")
    placed = PlacedPicture(**{**picture, "span": Span(**picture["span"])}) if picture else None
    return Citation(**{**stored, "span": span, "headings": tuple(stored["headings"]), "picture": placed})

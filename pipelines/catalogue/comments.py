"""The words of feedback, and how they go with a document that is purged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from pipelines.catalogue.tables import FeedbackRow, FeedbackSourceRow, VersionRow


def erase_lost_comments(session: Session, tenant: str, document_ids: Sequence[str]) -> int:
    """Erase comments on answers made of versions of these documents that are not kept; return how many."""
    kept = sa.exists().where(
        VersionRow.tenant == FeedbackSourceRow.tenant,
        VersionRow.document_id == FeedbackSourceRow.document_id,
        VersionRow.version == FeedbackSourceRow.version,
    )
    made = (FeedbackSourceRow.tenant == tenant, FeedbackSourceRow.document_id.in_(document_ids))
    lost = set(session.scalars(sa.select(FeedbackSourceRow.answer_id).where(*made, ~kept)))
    erased = erase_comments(session, tenant, lost)
    session.execute(sa.delete(FeedbackSourceRow).where(*made, ~kept))
    return erased


def erase_comments(session: Session, tenant: str, answer_ids: Collection[str]) -> int:
    """Erase the comments on these answers; return how many callers had written some."""
    erased = 0
    for answer_id in answer_ids:
        mine = (FeedbackRow.tenant == tenant, FeedbackRow.answer_id == answer_id)
        erased += sum(map(_erase, _with_words(session.scalars(sa.select(FeedbackRow).where(*mine)))))
    session.flush()
    return erased


def has_words(row: FeedbackRow) -> bool:
    """Return whether a caller wrote a comment, on the answer or on a citation."""
    return row.comment is not None or any(comment is not None for *_, comment in row.citations)


def _with_words(rows: Iterable[FeedbackRow]) -> list[FeedbackRow]:
    return [row for row in rows if has_words(row)]


def _erase(row: FeedbackRow) -> bool:
    row.comment, row.erased = None, True
    row.citations = [[number, correct, None] for number, correct, _ in row.citations]
    return True

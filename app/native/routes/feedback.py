"""Routes of feedback; each key judges the answers that were given to its own scope.

Any reader may give feedback. Reading others' feedback needs the role writer: it holds users' names and words.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from app.http.problems import problem_responses
from app.native import mapping, requests
from app.native.routes.dependencies import AnswerId, KeyGrant, Nothing, TenantEngine, routes_for
from app.native.schemas.feedback import (
    ExperimentsResponse,
    FeedbackListParameters,
    FeedbackRequest,
    FeedbackResponse,
    FeedbackSchema,
    UnlabelledParameters,
    UnlabelledResponse,
    WithdrawnResponse,
    WithdrawParameters,
)

reader = routes_for("reader")
writer = routes_for("writer")
ROUTERS = (reader, writer)


@reader.post("/{tenant}/feedback", status_code=201, responses=problem_responses(413, 415, 422))
def give_feedback(engine: TenantEngine, asked: FeedbackRequest, grant: KeyGrant) -> FeedbackSchema:
    """Say whether an answer helped, and which of its citations are right, replacing the former feedback."""
    feedback = engine.feedback(
        asked.answer_id,
        helpful=asked.helpful,
        comment=asked.comment,
        citations=requests.citation_marks(asked),
        user=grant.name_with(asked.user),
    )
    return mapping.feedback(feedback)


@writer.get("/{tenant}/feedback", responses=problem_responses(403, 422))
def list_feedback(engine: TenantEngine, asked: Annotated[FeedbackListParameters, Query()]) -> FeedbackResponse:
    """List feedback on answers, the newest first, page by page."""
    page = engine.all_feedback(asked.limit, asked.cursor, helpful=asked.helpful)
    return mapping.feedback_page(page)


@writer.get("/{tenant}/feedback/next", responses=problem_responses(403, 422))
def list_unlabelled(engine: TenantEngine, asked: Annotated[UnlabelledParameters, Query()]) -> UnlabelledResponse:
    """List questions to judge next: nobody judged their answers, and a judgement teaches most."""
    return mapping.unlabelled(engine.unlabelled(asked.limit))


@reader.delete("/{tenant}/feedback/{answer_id}", responses=problem_responses(422))
def withdraw_feedback(
    engine: TenantEngine, answer_id: AnswerId, asked: Annotated[WithdrawParameters, Query()], grant: KeyGrant
) -> WithdrawnResponse:
    """Withdraw the feedback on an answer."""
    engine.withdraw_feedback(answer_id, user=grant.name_with(asked.user))
    return WithdrawnResponse(answer_id=answer_id)


@writer.get("/{tenant}/experiments", responses=problem_responses(403))
def experiments(engine: TenantEngine, asked: Nothing) -> ExperimentsResponse:
    """How the answers of each prompt variant did, and whether the differences could be chance."""
    found = engine.experiments()
    return mapping.experiments(found)

"""What routes ask for in their signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.http.auditing import add_target
from app.http.errors import Forbidden, MalformedRequest
from app.http.keyring import Grant
from app.http.problems import problem_responses
from app.http.routing import granted, guarded, keyed_engine
from app.http.strict_json import text_flaw
from app.http.validation import validated
from app.native import mapping
from app.native.schemas.base import NoParameters
from app.native.schemas.jobs import JobAcceptedResponse
from pipelines import TenantReader
from pipelines.errors import Problem
from pipelines.types import Job
from pipelines.types.roles import Role

Model = TypeVar("Model", bound=BaseModel)
RoleCheck = Callable[[Role], object]
JobAnswer = Callable[[Job], JSONResponse]

_ALWAYS = problem_responses(400, 401, 404, 421, 429, 500, 503)
JOB_ACCEPTED: dict[int | str, dict[str, Any]] = {
    202: {
        "model": JobAcceptedResponse,
        "description": "Accepted",
        "headers": {"Location": {"description": "address of the job", "schema": {"type": "string"}}},
    }
}


async def _single_parameters(request: Request) -> None:
    """Refuse a query parameter that is given twice: no route takes a list there.

    Raises:
        MalformedRequest: There is one.
    """
    given = Counter(name for name, _ in request.query_params.multi_items())
    twice = [Problem(name, "must be given once") for name, times in given.items() if times > 1]
    if twice:
        raise MalformedRequest(*twice)


def routes_for(role: Role) -> APIRouter:
    """A router whose routes ask for a key of ``role``."""
    return APIRouter(
        route_class=guarded(role),
        dependencies=[Depends(_single_parameters)],
        responses=_ALWAYS,
        generate_unique_id_function=lambda route: route.name,
    )


def optional_body(model: type[Model]) -> Callable[[Request], Coroutine[Any, Any, Model]]:
    """Reads a JSON body that may be left out where every key of ``model`` has a default."""

    async def read(request: Request) -> Model:
        return validated(model, await request.json() if await request.body() else {})

    return read


def described_body(model: type[BaseModel]) -> dict[str, Any]:
    """A route's ``openapi_extra`` for a body that `optional_body` reads."""
    return {"requestBody": {"content": {"application/json": {"schema": model.model_json_schema()}}}}


async def _tenant_engine(
    request: Request, tenant: Annotated[str, Path(description="name of the tenant", examples=["smartbreeds"])]
) -> TenantReader:
    return await keyed_engine(request)


async def _document_id(
    document_id: Annotated[
        str,
        Path(
            description="id; a slash in it may be sent as %2F, and must be so where it ends in /content, /chunks, "
            "/versions or /pages/ and a number"
        ),
    ],
) -> str:
    return decoded("document_id", document_id)


async def _job_id(
    job_id: Annotated[str, Path(description="id, as the answer to the request for the job named it")],
) -> str:
    return decoded("job_id", job_id)


async def _conversation_id(
    conversation_id: Annotated[str, Path(description="id, as the answers of its turns name it; it may hold slashes")],
) -> str:
    return decoded("conversation_id", conversation_id)


async def _answer_id(answer_id: Annotated[str, Path(description="id, as the answer named it")]) -> str:
    return decoded("answer_id", answer_id)


def decoded(name: str, sent: str) -> str:
    """A part of a path as text.

    Raises:
        MalformedRequest: It cannot be text.
    """
    decoded = unquote(sent)
    if flaw := text_flaw(decoded):
        raise MalformedRequest(Problem(name, flaw))
    return decoded


async def _role_check(grant: Annotated[Grant, Depends(granted)]) -> RoleCheck:
    def require(role: Role) -> None:
        if not grant.includes(role):
            raise Forbidden(grant.role, role)

    return require


async def _job_answer(request: Request) -> JobAnswer:
    jobs = f"{request.scope['root_path']}/{request.path_params['tenant']}/jobs"

    def answer(job: Job) -> JSONResponse:
        add_target(job.job_id)
        headers = {"Location": f"{jobs}/{quote(job.job_id, safe='')}"}
        return JSONResponse(mapping.accepted(job).model_dump(), 202, headers)

    return answer


def require_no_key(idempotency_key: str | None) -> None:
    """Refuse an idempotency key where no job is asked for: what is done at once would be done again.

    Raises:
        MalformedRequest: There is a key.
    """
    if idempotency_key is not None:
        message = "names a request for a job; send it with wait: false, or leave it out"
        raise MalformedRequest(Problem("Idempotency-Key", message))


TenantEngine = Annotated[TenantReader, Depends(_tenant_engine)]
DocumentId = Annotated[str, Depends(_document_id)]
JobId = Annotated[str, Depends(_job_id)]
ConversationId = Annotated[str, Depends(_conversation_id)]
AnswerId = Annotated[str, Depends(_answer_id)]
KeyGrant = Annotated[Grant, Depends(granted)]
Nothing = Annotated[NoParameters, Query()]
# For what only some uses of a route need a larger role.
RequireRole = Annotated[RoleCheck, Depends(_role_check)]
AcceptJob = Annotated[JobAnswer, Depends(_job_answer)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="names a request for a job, so that sending it again does not start another one; refused "
        "where no job is asked for, with `wait: false`",
    ),
]

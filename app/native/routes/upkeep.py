"""Routes that keep a tenant in order, and tell how much it holds."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.background import BackgroundTask

from app.http.errors import MalformedRequest
from app.http.heads import is_head
from app.http.problems import problem_responses
from app.native import mapping
from app.native.routes.dependencies import (
    JOB_ACCEPTED,
    AcceptJob,
    IdempotencyKey,
    KeyGrant,
    Nothing,
    TenantEngine,
    described_body,
    optional_body,
    require_no_key,
    routes_for,
)
from app.native.schemas.base import WaitParameters
from app.native.schemas.upkeep import (
    DoctorRequest,
    DoctorResponse,
    StatsParameters,
    StatsResponse,
    SyncRequest,
    SyncResponse,
)
from pipelines.engine import scratch_folder
from pipelines.errors import Problem

reader = routes_for("reader")
writer = routes_for("writer")
admin = routes_for("admin")
ROUTERS = (reader, writer, admin)
_ZIP = "application/zip"


async def _sync_wanted(
    asked: Annotated[SyncRequest, Depends(optional_body(SyncRequest))], parameters: Annotated[WaitParameters, Query()]
) -> SyncRequest:
    wanted = asked.model_copy(update={"wait": asked.wait and parameters.wait})
    if wanted.allow_empty and not wanted.wait:
        raise MalformedRequest(Problem("allow_empty", "needs wait: true; a job never empties a tenant"))
    if wanted.reread and not wanted.wait:
        raise MalformedRequest(Problem("reread", "needs wait: true; a job reads only what has changed"))
    return wanted


@writer.post(
    "/{tenant}/sync",
    response_model=SyncResponse,
    responses={**JOB_ACCEPTED, **problem_responses(403, 409, 413, 415, 422, 504)},
    openapi_extra=described_body(SyncRequest),
)
def sync(
    engine: TenantEngine,
    wanted: Annotated[SyncRequest, Depends(_sync_wanted)],
    accept: AcceptJob,
    idempotency_key: IdempotencyKey = None,
) -> SyncResponse | JSONResponse:
    """Bring the tenant in line with its knowledge folder; answers when it is, or names the job."""
    if not wanted.wait:
        return accept(engine.jobs.submit("sync", idempotency_key=idempotency_key))
    require_no_key(idempotency_key)
    whole = engine.whole("synchronising with the knowledge folder")
    synced = whole.sync(allow_empty=wanted.allow_empty, reread=wanted.reread)
    return mapping.synchronisation(synced)


@admin.post(
    "/{tenant}/doctor",
    responses=problem_responses(403, 409, 413, 415),
    openapi_extra=described_body(DoctorRequest),
)
def doctor(
    engine: TenantEngine, asked: Annotated[DoctorRequest, Depends(optional_body(DoctorRequest))], nothing: Nothing
) -> DoctorResponse:
    """Compare the catalogue with the store, and repair what is wrong if that is asked for."""
    found = engine.whole("the doctor").doctor(repair=asked.repair)
    return mapping.examination(found)


@reader.get("/{tenant}/stats")
def stats(engine: TenantEngine, grant: KeyGrant, asked: Annotated[StatsParameters, Query()]) -> StatsResponse:
    """How much the tenant holds; what the key asked most and what was not answered, for admins that of all keys."""
    return mapping.stats(engine.stats(), engine.usage(asked.most, grant.caller()), engine.cache_use())


@admin.get(
    "/{tenant}/backup",
    response_class=FileResponse,
    responses={200: {"content": {_ZIP: {}}, "description": "one file"}, **problem_responses(403, 422)},
)
def backup(request: Request, engine: TenantEngine, nothing: Nothing) -> Response:
    """Everything that the tenant holds, in one file that `footnote restore` reads."""
    whole = engine.whole("backing the tenant up")
    name = f"{engine.tenant}.backup"
    if is_head(request):
        return _without_backup(name)
    with ExitStack() as opened:
        file = opened.enter_context(scratch_folder()) / "backup"
        whole.backup(file)
        sent = BackgroundTask(opened.pop_all().close)
    return FileResponse(file, media_type=_ZIP, filename=name, background=sent)


def _without_backup(name: str) -> Response:
    """Return what HEAD says of a backup that is not made: its size and date are not known."""
    response = Response(media_type=_ZIP, headers={"Content-Disposition": f'attachment; filename="{name}"'})
    del response.headers["content-length"]
    return response

"""What every published contract is built of: an application for one tenant, with its own envelope of errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel, ConfigDict

from app import __version__
from app.http.errors import DocumentFailed
from app.http.failures import Render, install_failures
from app.http.limits import BodyKind
from app.http.openapi import documented_app
from app.http.routing import guarded, keyed_engine
from app.http.security import KEY_SCHEMES
from pipelines import Engine, ScopedEngine
from pipelines.errors import InvalidRequest
from pipelines.profile.schema import Profile, Role
from pipelines.types import DocumentInput, IngestResult


class ContractBody(BaseModel):
    """A JSON body as the published systems read it: keys that nobody knows are ignored, types are taken strictly."""

    model_config = ConfigDict(strict=True, frozen=True)


def contract_app(profile: Profile, description: str, render: Render) -> FastAPI:
    """The application of a contract, without its routes, for the tenant of ``profile``.

    Args:
        profile: The tenant.
        description: What the contract is, for its documentation page.
        render: Writes a failure in the contract's envelope.
    """
    app = documented_app(profile.title, __version__, description, error_media_type="application/json")
    app.state.tenant = profile.tenant
    install_failures(app, render)
    return app


def contract_routes(role: Role, responses: dict[int | str, dict[str, Any]], body: BodyKind | None = None) -> APIRouter:
    """A router whose routes ask for a key of ``role``, and can answer the errors ``responses``; see `guarded`."""
    return APIRouter(
        route_class=guarded(role, body),
        dependencies=KEY_SCHEMES,
        responses=responses,
        generate_unique_id_function=lambda route: route.name,
    )


def error_responses(model: type[BaseModel], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """A contract's ``responses``: the errors that its routes can answer, in its envelope ``model``."""
    return {status: {"model": model, "description": HTTPStatus(status).phrase} for status in statuses}


def ingest_one(engine: Engine | ScopedEngine, document: DocumentInput) -> IngestResult:
    """Brings one document in.

    Raises:
        DocumentFailed: It could not be taken; the error's code and problems say why.
    """
    [result] = engine.ingest([document])
    if result.state == "failed":
        raise DocumentFailed(result.code, result.reason or "", result.problems)
    return result


@contextmanager
def telling_of(**names: str) -> Iterator[None]:
    """Lets what is wrong be told of what a field is called here, given by what it is called in the core.

    Raises:
        InvalidRequest: The core refused what it was asked.
    """
    try:
        yield
    except InvalidRequest as error:
        if not any(problem.path in names for problem in error.problems):
            raise
        told = (replace(problem, path=names.get(problem.path, problem.path)) for problem in error.problems)
        raise InvalidRequest(*told) from error


ContractEngine = Annotated[Engine | ScopedEngine, Depends(keyed_engine)]

"""What every published contract is built of: an application for one tenant, with its own envelope of errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, WithJsonSchema, model_validator
from pydantic_core import CoreSchema

from app import __version__
from app.http.auditing import add_target
from app.http.errors import DocumentFailed, MalformedRequest
from app.http.failures import Render, install_failures
from app.http.keyring import Grant
from app.http.limits import BodyKind
from app.http.openapi import documented_app
from app.http.routing import granted, guarded, keyed_engine, served_tenant
from app.http.validation import refuse_unknown_keys, unknown_keys
from app.tenants import Tenants
from pipelines import TenantReader
from pipelines.errors import CorruptDocument, DocumentNotFound, FootnoteError, InvalidRequest
from pipelines.profile.schema import Profile
from pipelines.types import Document, DocumentInput, IngestResult, Metadata
from pipelines.types.roles import Role

_RULES = ("---", "+++")
_ANNOTATIONS = frozenset({"title", "description", "default", "examples"})


class ContractBody(BaseModel):
    """A JSON body as the published systems read it: unknown keys are ignored, types are taken strictly."""

    model_config = ConfigDict(strict=True, frozen=True)


class LenientBody(ContractBody):
    """A body whose keys are absent where they are null, if they may be: so clients write what they were not given."""

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = [(name, field) for name, field in cls.model_fields.items() if not field.is_required()]
        optional = {key for name, field in fields for key in (name, field.alias)}
        return {key: given for key, given in value.items() if given is not None or key not in optional}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The schema, in which keys that are not required may be null."""
        document = handler.resolve_ref_schema(handler(schema))
        required = document.get("required", ())
        keys = document["properties"]
        document["properties"] = {name: keys[name] if name in required else _or_null(keys[name]) for name in keys}
        return document


class ClosedBody(LenientBody):
    """A lenient body that refuses unknown keys and names the nearest known one."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _knows_all_keys(cls, value: Any) -> Any:
        if isinstance(value, dict):
            refuse_unknown_keys(value, [field.alias or name for name, field in cls.model_fields.items()])
        return value


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if {"type": "null"} in schema.get("anyOf", ()):
        return schema
    kind = {key: setting for key, setting in schema.items() if key not in _ANNOTATIONS}
    return {
        "anyOf": [kind, {"type": "null"}],
        **{key: setting for key, setting in schema.items() if key in _ANNOTATIONS},
    }


def contract_app(profile: Profile, description: str, render: Render) -> FastAPI:
    """Return the application of a contract, without its routes, for the tenant of ``profile``.

    Args:
        profile: The tenant.
        description: What the contract is, for its documentation page.
        render: Writes a failure in the contract's envelope.
    """
    app = documented_app(profile.title, __version__, description, error_media_type="application/json")
    app.state.tenant = profile.tenant
    install_failures(app, render)
    return app


async def _no_parameters(request: Request) -> None:
    """Refuse query parameters: no published route takes any.

    Raises:
        MalformedRequest: There are some.
    """
    if problems := unknown_keys(request.query_params, ()):
        raise MalformedRequest(*problems)


def contract_routes(
    role: Role, responses: dict[int | str, dict[str, Any]], body: BodyKind | None = None, prefix: str = ""
) -> APIRouter:
    """Return a router whose routes stand below ``prefix``, ask for a key of ``role``, take no query parameters, and can
    answer the errors ``responses``; see `guarded`.
    """
    return APIRouter(
        prefix=prefix,
        route_class=guarded(role, body),
        dependencies=[Depends(_no_parameters)],
        responses=responses,
        generate_unique_id_function=lambda route: route.name,
    )


def error_responses(model: type[BaseModel], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return a contract's ``responses``: the errors that its routes can answer, in its envelope ``model``."""
    return {status: {"model": model, "description": HTTPStatus(status).phrase} for status in statuses}


def ingest_one(engine: TenantReader, document: DocumentInput) -> IngestResult:
    """Bring one document in.

    Raises:
        DocumentFailed: It could not be taken; the error's code and problems say why.
    """
    [result] = engine.ingest([document])
    add_target(result.document_id)
    if result.state == "failed":
        raise DocumentFailed(result.code, result.reason or "", result.problems)
    return result


def sent_text(engine: TenantReader, document: DocumentInput) -> tuple[DocumentInput, Metadata]:
    """Return a Markdown document whose content a client sent, and its metadata with those of its front matter.

    What stands between rules at its beginning is text where it cannot be read as front matter.
    """
    content = document.content
    if not isinstance(content, str) or not content.startswith(_RULES):
        return document, document.metadata
    try:
        return document, engine.described(document)
    except CorruptDocument:  # a blank line before it makes it a rule
        return replace(document, content=f"\n{content}"), document.metadata
    except FootnoteError:  # its ingestion says why
        return document, document.metadata


def is_loading(request: Request) -> bool:
    """Return whether the tenant's knowledge folder is still being loaded for the first time since the start."""
    tenants: Tenants = request.state.tenants
    return tenants.is_loading(served_tenant(request))


def find_ingested(engine: TenantReader, result: IngestResult) -> Document | None:
    """Return the document that was just ingested; None where it was deleted in the same moment."""
    try:
        return engine.document(result.document_id)
    except DocumentNotFound:
        return None


@contextmanager
def field_names(**names: str) -> Iterator[None]:
    """Name fields in errors as they are called here; the mapping is from the core's names.

    Raises:
        InvalidRequest: The core refused what it was asked; the code is that of its error.
    """
    try:
        yield
    except InvalidRequest as error:
        if not any(problem.path in names for problem in error.problems):
            raise
        renamed = InvalidRequest(
            *(replace(problem, path=names.get(problem.path, problem.path)) for problem in error.problems)
        )
        renamed.code = error.code
        raise renamed from error


LimitedText = Annotated[str, WithJsonSchema({"type": "string", "minLength": 1})]
"""Text whose length the profile limits: the core refuses what is too short or too long, with 422."""
LimitedCount = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 100})]
"""How many results are wanted; the profile limits it, as shipped to 100. The core refuses others, with 422."""
Loading = Annotated[bool, Depends(is_loading)]
ContractEngine = Annotated[TenantReader, Depends(keyed_engine)]
ContractGrant = Annotated[Grant, Depends(granted)]

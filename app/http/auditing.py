"""Writes the audit log: every change, every refusal of a known key, and what an admin reads of others."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from urllib.parse import unquote

from fastapi import Request

from app.http.failures import code_of
from app.http.keyring import Grant
from app.http.telemetry import request_id
from pipelines import Engine
from pipelines.errors import FootnoteError
from pipelines.types.roles import Role

OK = "ok"
_READS_OF_OTHERS = frozenset({"list_conversations", "conversation"})
_targets: ContextVar[list[str] | None] = ContextVar("footnote_audit_targets", default=None)
_log = logging.getLogger("footnote")


@dataclass
class Outcome:
    """How a request ended: "ok" or an error's code, and what it was about."""

    result: str = OK
    targets: list[str] = field(default_factory=list)


def is_audited(name: str, method: str, role: Role, grant: Grant) -> bool:
    """Return whether a request is written down: one that changes something, or an admin's look at others'
    conversations.
    """
    if method == "DELETE" or (method != "GET" and role != "reader"):
        return True
    return name in _READS_OF_OTHERS and bool(grant.name) and grant.role == "admin"


def add_target(target: str) -> None:
    """Name what the request is about, where its path does not."""
    targets = _targets.get()
    if targets is not None:
        targets.append(target)


@contextmanager
def watched(seen: Outcome) -> Iterator[None]:
    """Fill ``seen`` with what happens within the block, also in the threads that it starts."""
    token = _targets.set(seen.targets)
    try:
        yield
    except Exception as error:
        seen.result = code_of(error)
        raise
    finally:
        _targets.reset(token)


def write_entry(request: Request, grant: Grant, action: str, seen: Outcome) -> None:
    """Add an entry; if that fails, the log of the server says so, and the request is answered as it would be."""
    named = [unquote(str(value)) for name, value in request.path_params.items() if name != "tenant"]
    engine: Engine = request.state.tenants.engine(grant.tenant)
    try:
        engine.audit.add(
            action,
            [*named, *seen.targets],
            seen.result,
            key=grant.name,
            address=request.client.host if request.client else "",
            request_id=request_id(request),
        )
    except FootnoteError as error:
        _log.error("%s: the audit log could not be written: %s", grant.tenant, error.message)

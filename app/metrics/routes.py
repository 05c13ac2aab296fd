"""The route of the metrics, and who may read them."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import sha256

from fastapi import Request, Response

from app.http.keyring import Keyring
from app.http.security import presented_key
from app.metrics.exposition import Collector, View, exposed
from app.metrics.figures import TenantFigures


def metrics_route(registry: Collector, token: str | None) -> Callable[[Request], Response]:
    """The handler of `GET /metrics`.

    The ``token`` shows everything. An admin's key shows its tenants; an admin of all served tenants sees everything,
    too. Tenants without keys are shown to everybody, unless there is a token.

    Args:
        registry: What the process counts.
        token: The token that Prometheus sends; None: no token.
    """

    def metrics(request: Request) -> Response:
        keyring: Keyring = request.state.keyring
        standing: TenantFigures = request.state.standing
        presented = presented_key(request)
        tenants = None
        if token is None or not _same(presented, token):
            administered = keyring.administered(presented, open_too=token is None)
            tenants = None if administered == keyring.tenants else administered
        body, media_type = exposed(View((registry, standing), tenants), request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type, "cache-control": "no-store"})

    return metrics


def _same(presented: bytes, token: str) -> bool:
    return hmac.compare_digest(sha256(presented).digest(), sha256(token.encode()).digest())

"""The route that lists tenants; it answers at ``/tenants`` and, below the native API, at ``/tenants/``."""

from __future__ import annotations

from fastapi import APIRouter, Request

from app.http.keyring import Keyring
from app.http.problems import problem_responses
from app.http.routing import AnyTenantRoute
from app.http.security import presented_key
from app.native.routes.dependencies import Nothing
from app.native.schemas.tenants import TenantSchema, TenantsResponse
from app.tenants import Tenants

anyone = APIRouter(
    route_class=AnyTenantRoute,
    responses=problem_responses(400, 401, 421, 429, 500),
    generate_unique_id_function=lambda route: route.name,
)
ROUTERS = (anyone,)


@anyone.get("/")
def list_tenants(request: Request, asked: Nothing) -> TenantsResponse:
    """List the tenants that the key may read."""
    return TenantsResponse(tenants=[_tenant(request, name) for name in sorted(request.state.readable)])


def _tenant(request: Request, name: str) -> TenantSchema:
    keyring: Keyring = request.state.keyring
    tenants: Tenants = request.state.tenants
    profile, grant = tenants.profile(name), keyring.identify(name, presented_key(request))
    left_out = tenants.left_out.get(name)
    return TenantSchema(
        tenant=name,
        title=profile.title,
        role=grant.role,
        scope=dict(grant.scope),
        contract=profile.contract,
        docs=request.state.contract_docs.get(name),
        problem=None if left_out is None else left_out.reason,
    )

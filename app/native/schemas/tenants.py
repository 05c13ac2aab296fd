"""Shapes of the list of tenants."""

from __future__ import annotations

from pydantic import Field

from app.native.schemas.base import Shape
from pipelines.types.roles import Role


class TenantSchema(Shape):
    """A tenant, and what the caller's key allows in it."""

    tenant: str
    title: str
    role: Role = Field(description="reader < writer < admin")
    scope: dict[str, str] = Field(description="place in the hierarchy that the key is limited to; empty: none")
    contract: str | None = Field(description="the published API that it also answers, if any")
    docs: str | None = Field(description="address of that API's pages, relative to the server's root")
    problem: str | None = Field(description="why the tenant is not served: its data could not be opened; null: it is")


class TenantsResponse(Shape):
    """The tenants that the caller may read, by name."""

    tenants: list[TenantSchema]

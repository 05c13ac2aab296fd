"""What all parts of the mapping share."""

from __future__ import annotations

from pipelines import TenantReader

Tenant = TenantReader
MB = 1024 * 1024
LOW, FULL = 1024 * MB, 64 * MB
"""Room on disk below which it is low, or full."""

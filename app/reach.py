"""Which machines reach a server, and whether its tenants may be open to them.

Light: it is asked before a server is loaded.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from pipelines.errors import Problem, ProfileError


@lru_cache(maxsize=16)  # a server is asked by few names
def is_loopback(host: str) -> bool:
    """Return whether a name or address can only mean this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_keys(open_tenants: Iterable[str], host: str) -> None:
    """Refuse to let tenants without keys be reached from other machines.

    Raises:
        ProfileError: ``host`` is not a loopback address, and there is such a tenant.
    """
    for tenant in sorted(open_tenants):
        if not is_loopback(host):
            message = (
                f"there are none, and {host} can be reached from other machines; add keys to the profile or with "
                f"`footnote keys`, or start with --insecure"
            )
            raise ProfileError(tenant, (Problem("auth -> keys", message),))

"""Connects to servers by addresses that were checked: none in a private network, unless the profile names the host."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection

import httpx
from typing_extensions import override

_MOST_ADDRESSES = 3  # that are tried: each may take as long as a connection may


class PrivateAddress(httpx.TransportError):
    """A host has an address in a private network, and the profile does not name it among its hosts."""


class CheckedTransport(httpx.BaseTransport):
    """Looks a host up once, checks its addresses, and connects to the first that answers of those that were checked.

    Connections of one host are never used for another one, which may have the same address.

    Args:
        trusted: Hosts, without ports, that may have private addresses.
    """

    def __init__(self, trusted: Collection[str]) -> None:
        self._trusted = frozenset(trusted)
        self._transports: dict[str, httpx.HTTPTransport] = {}
        self._answering: dict[str, str] = {}

    @override
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        host = request.url.host
        addresses = self._addresses(host, request.url.port or (443 if request.url.scheme == "https" else 80))
        request.extensions = {**request.extensions, "sni_hostname": host}
        if host not in self._transports:
            self._transports[host] = httpx.HTTPTransport()
        for address in addresses:
            request.url = request.url.copy_with(host=address)
            try:
                response = self._transports[host].handle_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if address == addresses[-1]:
                    raise
                continue
            self._answering[host] = address
            return response
        raise AssertionError("a host that can be looked up has an address")

    @override
    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()

    def _addresses(self, host: str, port: int) -> list[str]:
        """Return a few addresses of a host, that which answered before first."""
        try:
            found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError(f"the name {host} cannot be looked up: {error}") from error
        if not is_literal(host) and host not in self._trusted and not all(map(_is_public, found)):
            raise PrivateAddress(f"{host} has an address in a private network; name it in `hosts` if it may be asked")
        several = sorted(dict.fromkeys(found), key=lambda address: address != self._answering.get(host))
        return several[:_MOST_ADDRESSES]


def is_literal(host: str) -> bool:
    """Return whether a host is an IP address or localhost: its name cannot lead anywhere else."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    return True


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    return found.is_global and not found.is_multicast and (mapped is None or mapped.is_global)

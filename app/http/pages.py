"""CORS: allow localhost and the configured origins."""

from __future__ import annotations

from collections.abc import Collection

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

_THIS_MACHINE = r"[a-z][a-z0-9+.-]*://(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?"
_METHODS = ("GET", "POST", "PUT", "DELETE")
_TOLD = ("X-Request-ID", "Retry-After", "Location")


def allow_pages(app: FastAPI, origins: Collection[str]) -> None:
    """Answer browsers that ask whether a page may call; nothing is sent along that a page did not put there itself.

    Args:
        app: The application.
        origins: Of pages elsewhere, such as ``https://pets.example.org``. Where no key is asked for they are in
            anybody's reach whom such a page serves.
    """
    app.add_middleware(
        CORSMiddleware,
        allow_origins=tuple(origins),
        allow_origin_regex=_THIS_MACHINE,
        allow_methods=_METHODS,
        allow_headers=("*",),
        allow_private_network=bool(origins),
        expose_headers=_TOLD,
    )

"""Stops writing an answer when the caller has disconnected.

Streams end by themselves when their reader leaves; see `app.http.streaming`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

from anyio import from_thread
from anyio.lowlevel import current_token
from fastapi import Depends, Request
from starlette.requests import ClientDisconnect

_LOOKED_EVERY_S = 0.5


async def _require_caller(request: Request) -> Callable[[], None]:
    """Return what a route calls while it works, in whatever thread; it raises ClientDisconnect when the caller is
    gone.
    """
    look_at, loop = time.monotonic() + _LOOKED_EVERY_S, current_token()

    def require() -> None:
        nonlocal look_at
        if time.monotonic() < look_at:
            return
        if from_thread.run(request.is_disconnected, token=loop):
            raise ClientDisconnect
        look_at = time.monotonic() + _LOOKED_EVERY_S

    return require


RequireCaller = Annotated[Callable[[], None], Depends(_require_caller)]

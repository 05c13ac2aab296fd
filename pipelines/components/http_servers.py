"""What the servers of models have in common: when to ask one again, and what it says of a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

ATTEMPTS = 3
BUSY = frozenset({429, 500, 502, 503, 504})
BROKEN = (httpx.NetworkError, httpx.RemoteProtocolError)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 2.0
_SAID_CHARS = 200


def pause_s(attempt: int, asked: str) -> float:
    """Seconds until the next attempt: as long as the server asks for (``retry-after``), else doubling; never long."""
    seconds = float(asked) if asked.isdecimal() else _FIRST_WAIT_S * 2 ** (attempt - 1)
    return min(seconds, _LONGEST_WAIT_S)


def masked(text: str, secret: str) -> str:
    """The beginning of ``text``, without the key, which servers quote."""
    return (text.replace(secret, "***") if secret else text)[:_SAID_CHARS]


def refusal(status: int, body: str, secret: str) -> str:
    """What a server says of its refusal, which is often the only hint, without the key it may quote."""
    try:
        said: Any = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        said = ""
    text = masked(str(said.get("message", "") if isinstance(said, Mapping) else said), secret)
    return f"it answered with status {status}" + (f": {text}" if text else "")

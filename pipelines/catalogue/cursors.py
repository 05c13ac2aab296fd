"""Where the next page of a list begins: behind a moment, in lists with the newest first, or behind an id."""

from __future__ import annotations

from datetime import UTC, datetime

from pipelines.catalogue.database import is_storable
from pipelines.errors import InvalidRequest, Problem

_ID_PREFIX = "after:"


def written_cursor(moment: datetime, name: str) -> str:
    """Return the cursor behind what is of this moment and has this name."""
    return f"{moment.isoformat()} {name}"


def read_cursor(cursor: str) -> tuple[datetime, str]:
    """Return the moment and the name that a cursor stands behind.

    Raises:
        InvalidRequest: It is not a cursor issued by this API.
    """
    moment, _, name = cursor.partition(" ")
    try:
        begun = datetime.fromisoformat(moment).astimezone(UTC) if name and is_storable(name) else None
    except (ValueError, OverflowError):
        begun = None
    if begun is None:
        raise InvalidRequest(Problem("cursor", "is not a cursor issued by this API; use next_cursor"))
    return begun, name


def written_id_cursor(name: str) -> str:
    """Return the cursor behind what has this id, in a list in the order of ids."""
    return f"{_ID_PREFIX}{name}"


def read_id_cursor(cursor: str) -> str:
    """Return the id that a cursor stands behind.

    Raises:
        InvalidRequest: It is not a cursor issued by this API.
    """
    name = cursor.removeprefix(_ID_PREFIX)
    if name in ("", cursor) or not is_storable(name):
        raise InvalidRequest(Problem("cursor", "is not a cursor issued by this API; use next_cursor"))
    return name

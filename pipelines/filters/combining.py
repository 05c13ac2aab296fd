"""Several filters as one."""

from __future__ import annotations

from qdrant_client import models


def all_of(*filters: models.Filter | None) -> models.Filter | None:
    """Return what every one of ``filters`` matches; None, which matches everything, where none of them says
    anything.
    """
    given = [one for one in filters if one is not None]
    if len(given) < 2:
        return given[0] if given else None
    return models.Filter(must=list(given))

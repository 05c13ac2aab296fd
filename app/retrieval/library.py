"""The papers that this process searches: one tenant, opened at first use and closed at exit.

The profile is named by ``FOOTNOTE_PROFILE``, by default ``openpharma``; its data are below ``FOOTNOTE_DATA``, by
default ``.footnote``. While a server works on the same data they cannot be opened a second time.
"""

from __future__ import annotations

import atexit
import os
import threading

from app.tenants import sync_knowledge
from pipelines import Engine, open_engine

_DEFAULT = "openpharma"
_lock = threading.Lock()
_opened: dict[tuple[str, str], Engine] = {}


def library() -> Engine:
    """Return the open tenant; its knowledge folder is synced before the first question, as in a server.

    Raises:
        ProfileError: The profile cannot be used.
        DataFolderHeld: Another process works on the tenant's data.
        ModelMissing: The embedding model has not been exported yet.
    """
    named = os.environ.get("FOOTNOTE_PROFILE") or _DEFAULT, os.environ.get("FOOTNOTE_DATA") or ""
    with _lock:
        if named not in _opened:
            _opened[named] = _open(*named)
        return _opened[named]


def close() -> None:
    """Close everything that `library` opened."""
    with _lock:
        while _opened:
            _opened.popitem()[1].close()


def _open(profile: str, data: str) -> Engine:
    engine = open_engine(profile, data or None)
    try:
        if engine.profile.knowledge.sync != "off":
            sync_knowledge(engine)
    except BaseException:
        engine.close()
        raise
    return engine


atexit.register(close)

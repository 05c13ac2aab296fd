"""A plugin for pytest: tenants whose profiles name no store keep their chunks on a Qdrant server.

    export FOOTNOTE_TEST_STORE='{"engine": "server", "url": "http://127.0.0.1:6333"}'
    pytest -p tests.fakes.on_server tests/app/native

So every test that goes through an engine or a server is one of the server profile too. Each folder of profiles has
collections of its own, which are removed at the end of the file of tests.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pipelines.components.store.server import server_client
from pipelines.profile import loader
from pipelines.profile.sections.storage import ServerStore
from tests.fakes.embedded_only import MARK
from tests.fakes.qdrant_servers import PATIENCE_S, for_a_file

VARIABLE = "FOOTNOTE_TEST_STORE"
_RUN = "FOOTNOTE_TEST_RUN"
_removed: list[str] = []


def redirect() -> None:
    """Have profiles without a store, in this process, name the server of the environment."""
    store = for_a_file(_section())
    run = os.environ.setdefault(_RUN, uuid.uuid4().hex[:8])
    read = loader.read_yaml

    def redirected(path: Path) -> dict[str, Any]:
        tree: dict[str, Any] = read(path)
        if "tenant" not in tree or tree.get("store", {}).get("engine", "edge") != "edge":
            return tree
        place = hashlib.sha256(f"{path.resolve().parent} {tree['tenant']}".encode()).hexdigest()[:12]
        return {**tree, "store": {**tree.get("store", {}), **store, "collection": f"footnote_test_{run}_{place}"}}

    loader.read_yaml = redirected


def _section() -> dict[str, Any]:
    return {"timeout_s": PATIENCE_S, **json.loads(os.environ[VARIABLE])}


def pytest_configure() -> None:
    """Redirect before the first test is imported."""
    redirect()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only an embedded tenant does."""
    left_out = [item for item in items if item.get_closest_marker(MARK) is not None]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item.get_closest_marker(MARK) is None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Remove the collections of a file of tests at its end: each takes 64 MB of a node's disk at least."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path != item.path:
            _removed.extend(_remove())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remove what is left on the server; a run that never came to the server proves nothing, and fails."""
    _removed.extend(_remove())
    if not _removed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _remove() -> list[str]:
    client = server_client(ServerStore(**_section()))
    found = [one.name for one in client.get_collections().collections]
    own = [name for name in found if name.startswith(f"footnote_test_{os.environ[_RUN]}_")]
    for name in own:
        client.delete_collection(name)
    client.close()
    return own

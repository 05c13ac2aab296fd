"""A sync that is stopped while a source does not answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.types import Progress
from tests.conftest import OpenTenant
from tests.pipelines.engine.sites import Site, running_site
from tests.pipelines.engine.test_hostile_sources import opened


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


def test_a_stop_does_not_wait_for_git(open_tenant: OpenTenant, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"git://127.0.0.1:{silent.getsockname()[1]}/x"
        engine = opened(open_tenant, tmp_path, f"{{name: repo, kind: git, url: '{url}'}}")
        began = time.monotonic()

        def stop(_: Progress) -> None:
            if time.monotonic() - began > 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            engine.sync(stop)
        assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "source", ["kind: web, robots: false, pages: ['{url}/silent']", "kind: feed, url: '{url}/silent'"]
)
def test_a_stop_does_not_wait_for_a_page(open_tenant: OpenTenant, tmp_path: Path, site: Site, source: str) -> None:
    site.slow.add("/silent")
    looks: list[Progress] = []

    def stop(progress: Progress) -> None:
        looks.append(progress)
        if len(looks) > 2:
            raise KeyboardInterrupt

    engine = opened(open_tenant, tmp_path, f"{{name: wiki, {source.format(url=site.url)}}}")
    with pytest.raises(KeyboardInterrupt):
        engine.sync(stop)

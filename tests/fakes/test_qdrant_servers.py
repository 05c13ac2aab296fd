"""What the suites do with servers that the environment names."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from pipelines.profile.sections.storage import ServerStore
from tests.fakes import on_server
from tests.fakes.qdrant_over_http import Served, serving
from tests.fakes.qdrant_servers import PATIENCE_S, dead_node, qdrant_server, with_port

ADDRESS = "QDRANT_URL"


@pytest.mark.parametrize(("server", "variable"), [("server", ADDRESS), ("cluster", "QDRANT_CLUSTER_URLS")])
def test_a_server_that_is_too_old_ends_the_run_with_one_sentence(
    server: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(served=Served(version="1.17.1")) as url:
        monkeypatch.setenv(variable, url)
        with pytest.raises(pytest.exit.Exception, match=r"Qdrant 1\.17\.1 is too old"), qdrant_server(server):
            pass


def test_a_server_of_today_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as url:
        monkeypatch.setenv(ADDRESS, url)
        with qdrant_server("server") as section:
            assert section["url"] == url


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("http://qdrant", "http://qdrant:6333"),
        ("https://qdrant/at/", "https://qdrant:6333/at/"),
        ("http://[::1]", "http://[::1]:6333"),
        ("http://127.0.0.1:443", "http://127.0.0.1:443"),
    ],
)
def test_an_address_without_a_port_gets_that_of_qdrant(given: str, whole: str) -> None:
    assert with_port(given) == whole


@pytest.mark.parametrize("missing", ["QDRANT_KILL_COMMAND", "QDRANT_START_COMMAND"])
def test_no_node_is_killed_that_cannot_be_started_again(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("QDRANT_KILL_COMMAND", "QDRANT_START_COMMAND"):
        monkeypatch.setenv(variable, "false")  # would fail the test
    monkeypatch.delenv(missing)
    with pytest.raises(pytest.skip.Exception, match=missing), dead_node("http://127.0.0.1:1"):
        pass


def test_a_node_that_was_killed_is_ready_before_the_next_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Starting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(503 if len(asked) < 3 else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    told = tmp_path / "told"
    for variable, word in (("QDRANT_KILL_COMMAND", "kill"), ("QDRANT_START_COMMAND", "start")):
        code = f"import sys; open({str(told)!r}, 'a').write('{word} ' + sys.argv[1] + chr(10))"
        monkeypatch.setenv(variable, f'{sys.executable} -c "{code}"')
    with serving(Starting) as url:
        with pytest.raises(ValueError, match="within"), dead_node(url):
            raise ValueError("within")
        assert told.read_text().splitlines() == [f"kill {url}", f"start {url}"]
    assert asked == ["/readyz"] * 3


def test_collections_are_removed_with_the_patience_that_the_tests_have(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    def client_of(section: ServerStore) -> None:
        seconds.append(section.timeout_s)
        raise ConnectionError

    monkeypatch.setattr(on_server, "server_client", client_of)
    monkeypatch.setenv(on_server.VARIABLE, json.dumps({"engine": "server", "url": "http://127.0.0.1:9"}))
    with pytest.raises(ConnectionError):
        on_server._remove()
    assert seconds == [PATIENCE_S]

"""The registry asks real servers: over HTTP on loopback, and programs that it starts."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pipelines.components.tools import AvailableTools, Tool, Tools, build_tools
from pipelines.components.tools.connection import Connection
from pipelines.errors import ToolUnavailable
from pipelines.profile.sections.tools import HttpToolServer, ToolsSection
from tests.fakes.product_catalog import CATALOG, PAPERS
from tests.fakes.tool_server import ToolServer, tool_server

ROOT = Path(__file__).resolve().parents[4]
STDIO = {"name": "catalog", "transport": "stdio", "command": ["python", str(CATALOG)], "timeout_s": 60}
ASKED = {"query": "orthopedic bed"}


@contextmanager
def opened(*servers: dict[str, Any], folder: Path = ROOT, **settings: Any) -> Iterator[Tools]:
    tools = build_tools(ToolsSection.model_validate({"servers": servers, **settings}), folder)
    try:
        yield tools
    finally:
        tools.close()


def done(tools: Tools, work: Callable[[], Awaitable[Any]]) -> Any:
    waiting = tools.loop.run(work, None)
    while True:
        try:
            next(waiting)
        except StopIteration as end:
            return end.value


def offered(tools: Tools) -> AvailableTools:
    found = done(tools, tools.offered)
    assert isinstance(found, AvailableTools)
    return found


def tool(tools: Tools, name: str) -> Tool:
    return next(one for one in offered(tools).tools if one.tool == name)


@pytest.fixture(scope="module")
def shop() -> Iterator[ToolServer]:
    with tool_server() as fake:
        yield fake


def http(shop: ToolServer, **said: Any) -> dict[str, Any]:
    return {"name": "shop", "transport": "http", "url": shop.url, **said}


def test_a_program_is_started_once_again_where_it_died_and_stopped_in_the_end() -> None:
    with opened(STDIO) as tools:
        search = tool(tools, "search_products")
        assert (search.name, search.title, search.reads) == ("catalog/search_products", "Product catalogue", True)
        assert search.schema["required"] == ["query"]
        assert "CozyRest" in done(tools, lambda: tools.call(search, ASKED)).text
        (first,) = _children()
        os.kill(first, signal.SIGKILL)
        assert "CozyRest" in done(tools, lambda: tools.call(search, ASKED)).text
        (second,) = _children()
        assert second != first
    assert _children() == []


def test_a_program_gets_only_its_declared_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_SECRET", "CANARY")
    (tmp_path / "server.py").write_text(
        "import os\n"
        "from mcp.server.mcpserver import MCPServer\n"
        "from mcp_types import ToolAnnotations\n"
        "server = MCPServer('environment', log_level='ERROR')\n"
        "@server.tool(annotations=ToolAnnotations(read_only_hint=True))\n"
        "def environment() -> list[str]:\n"
        "    return [os.getcwd(), *(f'{name}={value}' for name, value in os.environ.items())]\n"
        "server.run('stdio')\n"
    )
    server = {**STDIO, "command": ["python", "server.py"], "env": {"TOKEN": "for-it"}}
    with opened(server, folder=tmp_path) as tools:
        environment = tool(tools, "environment")
        reported = done(tools, lambda: tools.call(environment, {})).text
    assert "TOKEN=for-it" in reported
    assert str(tmp_path) in reported
    assert "CANARY" not in reported


@pytest.mark.parametrize("command", [["no-such-program"], ["true"], ["python", "-c", "print('hello')"]])
def test_a_program_that_is_not_a_server_is_unavailable(command: list[str]) -> None:
    with opened({**STDIO, "command": command}) as tools:
        found = offered(tools)
    (away,) = found.away
    assert (found.tools, away.name) == ((), "catalog")
    assert away.reason == "it is not there, or does not speak the Model Context Protocol"


def test_tools_that_say_that_they_only_read_may_be_used_or_those_that_the_profile_names(shop: ToolServer) -> None:
    with opened(http(shop), http(shop, name="named", allow=["place_order", "no_such_tool"])) as tools:
        names = [one.name for one in offered(tools).tools]
    assert "shop/search_products" in names
    assert "shop/place_order" not in names
    assert [name for name in names if name.startswith("named")] == ["named/place_order"]


def test_an_old_list_of_tools_is_refreshed(shop: ToolServer) -> None:
    for refresh_s, more in ((300, 0), (0, 1)):
        with opened(http(shop), refresh_s=refresh_s) as tools:
            offered(tools)
            before = len(shop.headers)
            offered(tools)
        listings = len(shop.headers) - before
        assert (listings > 0) == (more > 0)


def test_a_silent_server_times_out_and_is_skipped_for_a_while() -> None:
    with socket.socket() as silent, ExitStack() as stack:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        tools = stack.enter_context(
            opened({"name": "silent", "transport": "http", "url": url, "timeout_s": 0.3}, refresh_s=0)
        )
        (away,) = offered(tools).away
        assert away.reason in ("it did not answer within 0.3 s", _AWAY)
        silent.setblocking(False)
        for _ in range(9):  # what it was asked until now
            try:
                silent.accept()[0].close()
            except BlockingIOError:
                break
        assert offered(tools).away == (away,)
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_concurrent_waiter_gets_an_error_and_is_not_cancelled(tmp_path: Path) -> None:
    async def listed(client: Any) -> Any:
        return await client.list_tools()

    async def waiting(connection: Connection, seconds: float) -> str:
        await asyncio.sleep(seconds)
        with pytest.raises(ToolUnavailable) as refused:
            await connection.ask(listed, again=True)
        return refused.value.reason

    async def both(connection: Connection) -> list[str]:
        try:
            return await asyncio.gather(waiting(connection, 0), waiting(connection, 0.3))
        finally:
            await connection.close()

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
        server = HttpToolServer(name="silent", transport="http", url=url, timeout_s=0.6)
        reasons = asyncio.run(both(Connection(server, tmp_path)))
    assert set(reasons) == {"it did not answer within 0.6 s"}


_AWAY = "it is not there, or does not speak the Model Context Protocol"


def test_a_slow_tool_times_out_and_is_stopped(shop: ToolServer) -> None:
    with opened(http(shop, timeout_s=1)) as tools:
        slow, search = tool(tools, "slow"), tool(tools, "search_products")
        with pytest.raises(ToolUnavailable) as refused:
            done(tools, lambda: tools.call(slow, {}))
        assert refused.value.reason == "it did not answer within 1 s"
        assert shop.cancelled.wait(10)
        assert "CozyRest" in done(tools, lambda: tools.call(search, ASKED)).text


def test_a_result_is_not_held_against_the_patterns_of_its_schema(shop: ToolServer) -> None:
    with opened(http(shop)) as tools:
        patterned = tool(tools, "patterned")
        assert done(tools, lambda: tools.call(patterned, {})).text == f"name: {'a' * 24}!"


@pytest.mark.parametrize("options", [{}, {"sessions": True}, {"stateless_http": True, "json_response": True}])
def test_a_restarted_server_is_reconnected(options: dict[str, Any]) -> None:
    with ExitStack() as stack:
        with tool_server(**options) as first:
            tools = stack.enter_context(opened(http(first)))
            search = tool(tools, "search_products")
        stack.enter_context(tool_server(urlsplit(first.url).port, **options))
        assert "CozyRest" in done(tools, lambda: tools.call(search, ASKED)).text


def _children() -> list[int]:
    """The processes that this one started and that are the catalogue."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                command = (entry / "cmdline").read_text()
            except OSError:
                continue
            if int(parent) == os.getpid() and CATALOG.name in command:
                found.append(int(entry.name))
    return found


def test_the_library_of_papers_is_searched_and_read() -> None:
    library = {"name": "papers", "transport": "stdio", "command": ["python", str(PAPERS)], "timeout_s": 60}
    with opened(library) as tools:
        search, fetch = tool(tools, "search_papers"), tool(tools, "fetch_paper")
        found = done(tools, lambda: tools.call(search, {"query": "hip dysplasia lameness"})).text
        assert "X1" in found
        assert "X2" not in found
        read = done(tools, lambda: tools.call(fetch, {"paper_id": "X1"})).text
        assert "lost a tenth of their weight" in read

"""The Model Context Protocol over standard input and output: `footnote mcp`, asked by the official client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from pipelines.engine import open_engine
from pipelines.types import DocumentInput
from tests.app.commands.processes import commands_folder, ended, said_until_ready, started
from tests.app.mcp.talking import called, talk

ROOT = Path(__file__).resolve().parents[3]
PROFILE = "tenant: breeds\n"
COLLIE = "# Border Collie\n\nA Border Collie needs two hours of exercise every day.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tenant that has a document."""
    folder = tmp_path_factory.mktemp("breeds")
    (folder / "breeds.yaml").write_text(PROFILE)
    _ingest(folder, "collie.md", COLLIE)
    return folder


def _ingest(folder: Path, name: str, content: str | bytes) -> None:
    with open_engine(folder / "breeds.yaml", folder / "data") as engine:
        engine.ingest([DocumentInput(content, source=name)])


def _footnote_mcp(folder: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=str(commands_folder() / "footnote"),
        args=["mcp", "breeds.yaml", "--data", "data"],
        env={**os.environ},
        cwd=folder,
    )


async def _everything(client: Client) -> Any:
    """What every tool tells, and what a mistake is told."""
    asked = {
        "search": {"query": "exercise of a collie"},
        "answer": {"question": "How much exercise does a Border Collie need?"},
        "list_documents": {},
        "get_document": {"document_id": "collie.md"},
    }
    reported = {tool: (await client.call_tool(tool, given)).structured_content for tool, given in asked.items()}
    mistake = await client.call_tool("get_document", {"document_id": "poodle.md"})
    return reported, mistake


def _checked(reported: Any, mistake: Any) -> None:
    assert reported["search"]["results"][0]["document_id"] == "collie.md"
    assert "two hours of exercise every day. [1]" in reported["answer"]["answer"]
    assert reported["list_documents"]["total"] == 1
    assert reported["get_document"]["content"].startswith("Border Collie")
    assert mistake.is_error
    assert 'no document "poodle.md"' in mistake.content[0].text


def test_a_tenant_without_a_server_is_opened(folder: Path) -> None:
    _checked(*talk(_footnote_mcp(folder), _everything))


def test_a_tenant_that_a_server_holds_is_asked_through_it(folder: Path) -> None:
    with ExitStack() as opened:
        said_until_ready(started(opened, folder, "serve", "breeds.yaml", "--port", "0", "--data", "data"))
        _checked(*talk(_footnote_mcp(folder), _everything))
        kept = ended(started(opened, folder, "conversations", "breeds.yaml", "--data", "data"))
    assert kept == (0, "There are no conversations.\n", "")


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@pytest.fixture
def speaking(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`footnote mcp` in a process, once it has answered its first message."""
    command = [str(commands_folder() / "footnote"), "mcp", "breeds.yaml", "--data", "data"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as process:
        try:
            process.stdin.write(f"{json.dumps(INITIALIZE)}\n")
            process.stdin.flush()
            assert '"id":0' in process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_an_interrupt_ends_it_though_the_client_says_nothing(speaking: subprocess.Popen[str]) -> None:
    speaking.send_signal(signal.SIGINT)
    assert speaking.wait(timeout=60) == -signal.SIGINT


def _request(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def _searched(number: int) -> str:
    return _request(number, "tools/call", name="search", arguments={"query": "exercise of a collie"})


def _replies(process: subprocess.Popen[str], *lines: str) -> list[Any]:
    """What comes back for these lines, with which the input ends, once the process has ended."""
    out, _ = process.communicate("".join(f"{line}\n" for line in lines), timeout=60)
    assert process.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


def test_calls_that_are_underway_when_the_input_ends_get_their_replies(speaking: subprocess.Popen[str]) -> None:
    replies = _replies(speaking, *map(_searched, (1, 2, 3)))
    assert sorted(reply["id"] for reply in replies) == [1, 2, 3]
    assert {reply["result"]["structuredContent"]["results"][0]["document_id"] for reply in replies} == {"collie.md"}


@pytest.mark.parametrize(
    ("line", "code"),
    [("garbage", -32700), ('{"id": 5, "method": "\\ud800"}', -32700), ("[]", -32600), ('{"id": 5}', -32600)],
)
def test_a_line_that_is_no_message_gets_an_error(speaking: subprocess.Popen[str], line: str, code: int) -> None:
    refused, listed = _replies(speaking, line, "", _request(1, "tools/list"))
    assert (refused["id"], refused["error"]["code"]) == (None, code)
    assert listed["id"] == 1


@pytest.mark.parametrize("given", [1, "1"])
def test_a_call_that_the_client_cancelled_is_not_waited_for(speaking: subprocess.Popen[str], given: int | str) -> None:
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": given}}
    replies = _replies(speaking, _searched(1), json.dumps(cancelled), _request(2, "tools/list"))
    assert 2 in [reply["id"] for reply in replies]


def test_it_ends_in_silence_when_the_client_is_gone(speaking: subprocess.Popen[str]) -> None:
    speaking.stdout.close()
    speaking.stdin.write(f"{json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list'})}\n")
    speaking.stdin.close()
    assert speaking.wait(timeout=60) == 0
    assert speaking.stderr.read() == ""


def test_a_document_that_failed_is_shown_with_its_reason(folder: Path) -> None:
    _ingest(folder, "bad.pdf", b"%PDF-1.7 nothing")
    found = called(_footnote_mcp(folder), "get_document", document_id="bad.pdf")
    assert (found["state"], found["version"], found["content"], found["characters"]) == ("failed", 0, "", 0)
    assert found["reason"]


def test_an_unusable_profile_is_reported_on_standard_error_only(folder: Path) -> None:
    with ExitStack() as opened:
        code, out, err = ended(started(opened, folder, "mcp", "none.yaml"))
    assert (code, out) == (2, "")
    assert err.startswith("footnote: profile none.yaml cannot be used")


def test_the_protocol_is_loaded_with_the_first_request_only() -> None:
    install = "from pipelines.components import lazy_packages; lazy_packages.install()"
    code = f"import sys; {install}; import app.cli, app.main; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

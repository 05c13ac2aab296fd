"""The Model Context Protocol over standard input and output: `footnote mcp`, asked by the official client."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.app.commands.processes import ended, said_until_ready, started
from tests.app.mcp.talking import talk

ROOT = Path(__file__).resolve().parents[3]
PROFILE = "tenant: breeds\n"
COLLIE = "# Border Collie\n\nA Border Collie needs two hours of exercise every day.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tenant that has a document."""
    folder = tmp_path_factory.mktemp("breeds")
    (folder / "breeds.yaml").write_text(PROFILE)
    (folder / "docs").mkdir()
    (folder / "docs" / "collie.md").write_text(COLLIE)
    with ExitStack() as opened:
        done = ended(started(opened, folder, "ingest", "breeds.yaml", "docs", "--data", "data"))
    assert done[0] == 0, done
    return folder


def _footnote_mcp(folder: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "app.cli", "mcp", "breeds.yaml", "--data", "data"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
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


def test_an_unusable_profile_is_reported_on_standard_error_only(folder: Path) -> None:
    with ExitStack() as opened:
        code, out, err = ended(started(opened, folder, "mcp", "none.yaml"))
    assert (code, out) == (2, "")
    assert err.startswith("footnote: profile none.yaml cannot be used")


def test_the_protocol_is_loaded_with_the_first_request_only() -> None:
    code = "import sys; import app.cli, app.main; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

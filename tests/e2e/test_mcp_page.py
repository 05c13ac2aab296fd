"""The examples of docs/mcp.md, run as they stand there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from mcp import StdioServerParameters

from tests.app.mcp.talking import called
from tests.app.running import serving

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
STDIO, HTTP, PYTHON = BLOCK.findall((ROOT / "docs" / "mcp.md").read_text(encoding="utf-8"))
BEAGLE = {"content": "Beagles need 60 minutes of exercise a day.", "source": "beagle.txt"}


def test_the_examples_run(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with serving(tmp_path, ("tenant: smartbreeds",)) as http:
        assert http.post("/tenants/smartbreeds/documents", json=BEAGLE).status_code == 201
        code = PYTHON.replace("http://localhost:8000", str(http.base_url).rstrip("/"))
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=False, timeout=120
        )
    assert (done.returncode, done.stdout) == (0, f"[1] beagle.txt: {BEAGLE['content']}\n"), done.stderr
    assert json.loads(HTTP)["mcpServers"]["smartbreeds"]["url"] in PYTHON
    configured = json.loads(STDIO)["mcpServers"]["smartbreeds"]
    assert configured["command"] == "footnote"
    args = [word.replace("/srv/footnote", str(tmp_path / "data")) for word in configured["args"]]
    profile = {"smartbreeds": str(tmp_path / "served-0.yaml")}
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "app.cli", *(profile.get(word, word) for word in args)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert called(server, "list_documents")["total"] == 1

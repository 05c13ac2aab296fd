"""The TypeScript client of the native API, built and run by Node against a running server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from app.native.schemas.search import ANSWER_PARTS
from tests.app.running import serving
from tests.clients.node import ROOT, installed_client, run
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
metadata: {{fields: {{species: {{type: keyword}}}}}}
llm: {{provider: ollama, model: m, base_url: "{url}"}}
"""


@pytest.fixture(scope="module")
def client_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_client(tmp_path_factory.mktemp("client"), "footnote", "tests/app/native/openapi.json")


def test_the_native_types_are_those_of_the_openapi_document(client_folder: Path) -> None:
    checked = run(client_folder, "run", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_events_of_a_stream_are_those_of_the_service() -> None:
    """OpenAPI does not describe them, so the client names them by hand."""
    types = (ROOT / "clients" / "footnote" / "src" / "types.ts").read_text(encoding="utf-8")
    assert re.findall(r"\{ event: '(\w+)';", types) == list(ANSWER_PARTS)


def test_the_native_client_works_against_a_server(client_folder: Path, tmp_path: Path) -> None:
    with (
        ollama_server(lambda asked: "Beagles need 60 minutes of exercise a day [1].") as model,
        serving(tmp_path, (PROFILE.format(url=model.url),)) as client,
    ):
        tested = run(client_folder, "test", FOOTNOTE_URL=str(client.base_url))
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_a_package_holds_what_is_built(client_folder: Path) -> None:
    shutil.rmtree(client_folder / "dist", ignore_errors=True)
    packed = run(client_folder, "pack", "--dry-run", "--json")
    assert packed.returncode == 0, packed.stdout + packed.stderr
    files = {file["path"] for file in json.loads(packed.stdout)[0]["files"]}
    assert {"dist/index.js", "dist/index.d.ts", "dist/schema.d.ts"} <= files


def test_the_snippets_of_the_readme_run(client_folder: Path, tmp_path: Path) -> None:
    assert run(client_folder, "run", "build").returncode == 0
    snippets = re.findall(r"```ts\n(.*?)```", (client_folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    with serving(tmp_path, ("tenant: handbook\n",)) as client:
        program = "".join(snippets).replace("'footnote-rag'", "'./dist/index.js'")
        script = client_folder / "readme.mjs"
        script.write_text(program.replace("http://127.0.0.1:8000", str(client.base_url)), encoding="utf-8")
        shown = subprocess.run(["node", script], capture_output=True, text=True, timeout=60, check=True).stdout
    checked, streamed = shown.split("\n", 1)
    assert checked == "1 true"
    assert "60 minutes of exercise a day" in streamed

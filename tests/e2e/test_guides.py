"""The guides' commands and snippets, run as they stand there."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from pipelines import open_engine
from pipelines.components.store.edge.sparse_files import copy_with_holes
from pipelines.evaluation.golden import GoldenQuestion
from pipelines.profile.loader import load_profile
from tests.e2e.pages import ROOT, blocks, environment, served, shell

TENANTS = ("cortx", "smartbreeds")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader's folder with the shipped configurations, whose knowledge is ingested."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "configs", folder / "configs")
    for tenant in TENANTS:
        shell(f"footnote sync {tenant}", folder, environment(folder / "data"))
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    """A copy of that folder for one test."""
    return Path(shutil.copytree(prepared, tmp_path / "reader", copy_function=copy_with_holes))


def run(page: str, folder: Path, *, before: str = "") -> str:
    return shell("\n".join([before, *blocks(page, "bash")]), folder, environment(folder / "data"))


@pytest.mark.parametrize("page", ["backup.md", "upgrading.md"])
def test_a_backup_is_made_and_restored(page: str, folder: Path) -> None:
    assert "restored" in run(page, folder)


def test_a_conversation_is_continued_on_the_command_line_and_in_python(folder: Path) -> None:
    assert "walk" in run("conversations.md", folder).splitlines()[-1]
    (snippet,) = blocks("conversations.md", "python")
    with open_engine(folder / "configs" / "smartbreeds", folder / "data") as engine:
        names: dict[str, Any] = {"engine": engine}
        exec(snippet, names)
    assert names["second"].rewritten_question == "How long do they live? beagle"


def test_a_document_is_purged(folder: Path) -> None:
    text = folder / "ros2-manual.md"
    text.write_text("---\nlevel: platform\n---\nA node publishes to topics.\n", encoding="utf-8")
    before = f"footnote ingest cortx {text.name}"
    assert "erased" in run("deletion.md", folder, before=before)


def test_versions_are_asked_for_by_their_snapshot(folder: Path) -> None:
    printed = run("versions.md", folder)
    now, before = printed.index("three days"), printed.rindex("five days")
    assert now < before
    assert "1 changed" in printed


def test_a_search_is_explained(folder: Path) -> None:
    printed = run("retrieval.md", folder)
    assert "kettles.md" in printed
    assert "dense" in printed


def test_an_archive_is_uploaded_and_a_folder_is_read_by_llama_index(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(folder / "manuals.zip", "w") as archive:
        archive.writestr("lead.md", "# Lead\n\nA puppy walks on a lead of two metres.\n")
    (upload,) = blocks("formats.md", "bash")
    variables = environment(folder / "data")
    with served("footnote serve smartbreeds", folder, variables) as client:
        printed = shell(upload.replace("localhost:8000", address(client)), folder, variables)
    assert json.loads(printed)["documents"][0]["document_id"].endswith("lead.md")
    (folder / "policies").mkdir()
    (folder / "policies" / "leave.md").write_text("# Leave\n\nStaff have 28 days of leave.\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    (snippet,) = blocks("formats.md", "python")
    exec(snippet, names)
    assert [document.metadata["file_name"] for document in names["documents"]] == ["leave.md"]


def test_keys_are_made_and_the_server_isolates_its_tenants(folder: Path) -> None:
    keys, serve, attack = blocks("serving.md", "bash")
    variables = environment(folder / "data")
    printed = shell(keys, folder, variables)
    assert printed.count("ann") >= 2
    log = folder / "access.log"
    command = serve.strip().replace("/var/log/footnote/access.log", str(log))
    with served(command, folder, variables) as client:
        refused = client.get("/tenants/cortx/documents")
        assert refused.status_code == 401
    assert "/tenants/cortx/documents" in log.read_text(encoding="utf-8")
    shell("footnote keys smartbreeds create ann", folder, variables)
    with served("footnote serve smartbreeds cortx", folder, variables):
        assert ": 0 leaks" in shell(attack, folder, variables)


def test_the_profiles_of_the_guides_can_be_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_KEY", "0123456789abcdefghijklmn")
    declared, key = (yaml.safe_load(body.replace("${ACME_KEY}", "x")) for body in blocks("scopes.md", "yaml"))
    assert load_profile({"tenant": "t", **declared}).profile.metadata.hierarchy is not None
    assert key["auth"]["keys"][0]["scope"] == {"suite": "fedsuite", "entity_id": "acme"}
    (quotas,) = blocks("serving.md", "yaml")
    assert load_profile({"tenant": "t", **yaml.safe_load(quotas)}).profile.limits.quotas.jobs == 20
    (sources,) = blocks("sources.md", "yaml")
    (folder / "handbook.yaml").write_text(sources, encoding="utf-8")
    kinds = [source.kind for source in load_profile(folder / "handbook.yaml").profile.knowledge.sources]
    assert kinds == ["web", "feed", "git", "files", "mbox"]


def test_own_documents_are_measured(folder: Path) -> None:
    corpus = folder / "own"
    (corpus / "files").mkdir(parents=True)
    text = "# Feeding\n\nA puppy is fed four times a day until it is six months old.\n"
    (corpus / "files" / "feeding.md").write_text(text, encoding="utf-8")
    lines, golden = blocks("evaluation.md", "json")
    assert [GoldenQuestion.model_validate_json(line).is_answered for line in golden.splitlines()] == [True, False]
    (corpus / "questions.jsonl").write_text(lines, encoding="utf-8")
    printed = shell("footnote evaluate smartbreeds own --json", folder, environment(folder / "data"))
    assert json.loads(printed)


def address(client: httpx.Client) -> str:
    """Host and port."""
    return client.base_url.netloc.decode()

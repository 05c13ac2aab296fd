"""The profiles that come with the project."""

import re
from pathlib import Path
from typing import Any

import pytest

from pipelines.profile.loader import load_profile
from pipelines.profile.schema import Profile
from pipelines.profile.yaml_file import read_yaml

CONFIGS = Path(__file__).parents[3] / "configs"


def keys(tree: dict[str, Any], path: str = "") -> set[str]:
    below = [keys(value, f"{path}{key} -> ") for key, value in tree.items() if isinstance(value, dict)]
    return {f"{path}{key}" for key in tree}.union(*below)


def test_embedded_is_the_defaults():
    assert load_profile(CONFIGS / "embedded.yaml", {}).profile == Profile()


def test_embedded_writes_every_default_out():
    assert keys(read_yaml(CONFIGS / "embedded.yaml")) == keys(Profile().dump())


def test_server_takes_its_places_from_the_environment():
    environment = {"DATABASE_URL": "postgresql+psycopg://db/footnote", "QDRANT_URL": "https://qdrant:6333"}
    profile = load_profile(CONFIGS / "server.yaml", environment).profile
    assert (profile.store.engine, profile.store.url) == ("server", "https://qdrant:6333")
    assert profile.catalogue.url.get_secret_value() == environment["DATABASE_URL"]


def test_server_looks_for_qdrant_on_this_machine_first():
    profile = load_profile(CONFIGS / "server.yaml", {"DATABASE_URL": "postgresql://db/footnote"}).profile
    assert profile.store.url == "http://127.0.0.1:6333"


def test_smartbreeds_declares_what_its_documents_say():
    loaded = load_profile(CONFIGS / "smartbreeds", {})
    fields = loaded.profile.metadata.fields
    assert {name: field.type for name, field in fields.items()} == {
        "doc_type": "keyword",
        "species": "keyword",
        "breed": "keyword",
        "topics": "keywords",
    }
    assert [name for name, field in fields.items() if field.required] == ["doc_type"]
    assert loaded.knowledge_folder == CONFIGS / "smartbreeds" / "knowledge"
    assert loaded.profile.knowledge.sync == "startup"
    chunking, llm = loaded.profile.chunking, loaded.profile.llm
    assert (chunking.splitter, chunking.size, chunking.overlap, chunking.unit) == ("markdown", 500, 50, "token")
    assert (loaded.profile.contract, llm.model, llm.fallback) == ("smartbreeds", "qwen3-vl:8b", "extractive")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*/profile.yaml")), ids=lambda path: path.parent.name)
def test_every_tenant_is_called_like_its_folder(path):
    names = re.findall(r"\$\{(\w+)\}", path.read_text(encoding="utf-8"))
    profile = load_profile(path, {name: f"some-{name}" for name in names}).profile
    assert profile.tenant == path.parent.name

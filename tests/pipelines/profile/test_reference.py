import os
import subprocess
import sys
from pathlib import Path

from pipelines.profile.places import models_in
from pipelines.profile.reference import reference
from pipelines.profile.schema import Profile
from pipelines.profile.sections.access import Key

ROOT = Path(__file__).parents[3]


def rows() -> dict[str, list[str]]:
    """The tables' rows by key: value, default, meaning."""
    lines = [line.split(" | ") for line in reference().splitlines() if line.startswith("| `")]
    assert {len(cells) for cells in lines} == {4}
    return {cells[0].removeprefix("| "): [cell.removesuffix(" |") for cell in cells[1:]] for cells in lines}


def test_the_readme_of_the_configs_says_what_the_schema_says():
    written = (ROOT / "configs" / "README.md").read_text(encoding="utf-8")
    assert written == reference(), "run: python -m pipelines.profile.reference > configs/README.md"


def test_the_module_prints_the_reference():
    command = [sys.executable, "-m", "pipelines.profile.reference"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stdout.decode() == reference()


def test_each_key_has_its_path_choices_default_and_meaning():
    found = rows()
    assert found["`retrieval -> fusion`"] == ["`convex`, `rrf`", "`convex`", "how the legs' lists are combined"]
    assert found["`chunking -> size`"][:2] == ["whole number, 16 to 8192", "`192`"]
    assert found["`llm -> model`"][:2] == ["text", "must be given"]
    assert found["`knowledge -> path`"][:2] == ["path", "not set"]
    assert found["`limits -> question_chars`"][:2] == ["[least, most]", "`[1, 4000]`"]
    assert found["`auth -> keys -> N -> secret`"][0] == "secret"
    assert found["`metadata -> fields -> NAME -> required`"][:2] == ["`true`, `false`", "`false`"]
    assert found["`rerank -> N -> weights`"][0] == "mapping of text to number"


def test_every_field_is_described():
    assert not [key for key, cells in rows().items() if not cells[2]]


def test_every_section_and_every_kind_of_it_has_its_heading():
    headings = [line for line in reference().splitlines() if line.startswith("#")]
    sections = [name for name, field in Profile.model_fields.items() if models_in(field.annotation)]
    assert {f"## {name}" for name in sections} <= set(headings)
    assert "### embedding: `provider: tei`" in headings
    assert "### store: `engine: server`" in headings
    assert "### rerank: `type: parent`" in headings


def test_keys_shared_by_all_kinds_of_a_section_appear_once():
    assert reference().count("`store -> hnsw -> m`") == 1
    assert reference().count("`embedding -> batch_size`") == 1


def test_the_keys_of_list_items_appear_one_by_one():
    assert {f"`auth -> keys -> N -> {name}`" for name in Key.model_fields} <= rows().keys()


def test_it_begins_with_twenty_keys_as_described_below():
    lines = reference().splitlines()
    first = lines.index("## The keys that most profiles need")
    second = next(index for index, line in enumerate(lines) if index > first and line.startswith("## "))
    keys = [line for line in lines[first:second] if line.startswith("| `")]
    assert len(keys) == 20
    assert first < lines.index("## The tenant")
    kinds = ("| `llm -> provider`", "| `rerank -> N -> type`")  # told by the headings further down
    assert [line for line in keys if line not in lines[second:] and not line.startswith(kinds)] == []

"""Every example of docs/filters.md, run as it stands there."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import InvalidFilter
from pipelines.types import DocumentInput
from tests.app.commands.processes import commands_folder

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "filters.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [body for found, body in BLOCKS if found == kind]


def examples(kind: str) -> list[tuple[str, str]]:
    """Filters, and what the page says of each: JSON ends where two spaces or more follow a bracket."""
    lines = [line for body in blocks(kind) for line in body.splitlines()]
    return [(found[1], found[2]) for line in lines if (found := re.fullmatch(r"(\{.*\})\s{2,}(.*)", line))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "library.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    documents = [
        DocumentInput(f"# Document {given['document_id']}\n\nHow accounts are reconciled.\n", **given)
        for given in json.loads(blocks("json")[0])
    ]
    with open_engine(folder / "library.yaml", folder / "data") as engine:
        assert {result.state for result in engine.ingest(documents)} == {"ready"}
    return folder


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    with open_engine(folder / "library.yaml", folder / "data") as opened:
        yield opened


def test_each_filter_finds_the_documents_that_the_page_says(engine: Engine) -> None:
    assert len(examples("filters")) == sum(body.count("\n") for body in blocks("filters"))
    for text, expected in examples("filters"):
        filters = json.loads(text)
        assert [found.document_id for found in engine.documents(filters=filters).documents] == expected.split(), text
        for mode in ("dense", "sparse"):
            found = engine.search("how are accounts reconciled", filters=filters, mode=mode)
            assert sorted({hit.document_id for hit in found}) == expected.split(), text


def test_each_mistake_is_reported_as_the_page_says(engine: Engine) -> None:
    assert len(examples("errors")) == sum(body.count("\n") for body in blocks("errors"))
    for text, expected in examples("errors"):
        with pytest.raises(InvalidFilter) as refused:
            engine.search("accounts", filters=json.loads(text))
        assert str(refused.value) == expected


def test_metadata_comes_back_as_it_was_given(engine: Engine) -> None:
    given = {document["document_id"]: document["metadata"] for document in json.loads(blocks("json")[0])}
    assert {hit.document_id: hit.metadata for hit in engine.search("accounts")} == given
    assert {found.document_id: found.metadata for found in engine.documents().documents} == given


def test_commands_and_python_run(folder: Path) -> None:
    environment = {**os.environ, "FOOTNOTE_DATA": str(folder / "data")}
    commands = [shlex.split(line) for line in blocks("")[0].splitlines()]
    assert {command[0] for command in commands} == {"footnote"}
    commands = [[str(commands_folder() / "footnote"), *words[1:]] for words in commands]
    (python,) = blocks("python")
    for command in (*commands, [sys.executable, "-c", python]):
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == re.search(r"# (\[.*\])", python)[1]

"""Fields that can be filtered without being declared: in searches, lists and explanations alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipelines import DocumentInput, Engine, open_engine
from pipelines.errors import InvalidFilter

GERMAN = "Die Katze schläft am liebsten den ganzen Tag auf dem warmen Sofa in der Sonne."
ENGLISH = "The cat likes to sleep on the warm sofa in the sun for the whole day."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("docs")
    for name, text in {"a/b/deep.md": GERMAN, "a/flat.txt": ENGLISH, "top.md": ENGLISH * 3}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    with open_engine({"tenant": "builtin"}, tmp_path_factory.mktemp("data")) as opened:
        opened.ingest_path(folder)
        yield opened


_SOON = (datetime.now(UTC) + timedelta(days=1)).isoformat()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"extension": "md"}, {"a/b/deep.md", "top.md"}),
        ({"folder": "a"}, {"a/b/deep.md", "a/flat.txt"}),
        ({"folder": "a/b"}, {"a/b/deep.md"}),
        ({"source": {"prefix": "a/"}}, {"a/b/deep.md", "a/flat.txt"}),
        ({"language": "de"}, {"a/b/deep.md"}),
        ({"bytes": {"gt": 100}}, {"top.md"}),
        ({"updated_at": {"lt": _SOON}, "not": {"extension": "txt"}}, {"a/b/deep.md", "top.md"}),
        ({"created_at": {"gt": _SOON}}, set()),
    ],
)
def test_built_in_fields_filter_searches_and_lists_alike(
    engine: Engine, filters: dict[str, Any], expected: set[str]
) -> None:
    assert {hit.document_id for hit in engine.search("cat on the sofa, Katze", filters=filters).hits} == expected
    assert {document.document_id for document in engine.documents(filters=filters)} == expected
    counted = engine.explain("cat", document_id="top.md", filters=filters).filter
    assert counted[-1].left == len(expected)


def test_built_in_fields_are_not_metadata(engine: Engine) -> None:
    assert engine.document("top.md").metadata == {}
    assert all(hit.metadata == {} for hit in engine.search("cat").hits)


def test_they_hold_in_the_past(tmp_path: Path) -> None:
    with open_engine({"tenant": "past"}, tmp_path) as engine:
        (first,) = engine.ingest(DocumentInput(ENGLISH, source="notes/cat.md"))
        engine.ingest(DocumentInput(ENGLISH * 9, source="notes/cat.md"))
        large: dict[str, Any] = {"folder": "notes", "bytes": {"gt": 300}}
        assert len(engine.search("cat", filters=large).hits) > 0
        assert engine.search("cat", filters=large, as_of=first.snapshot).hits == ()


def test_a_misspelt_one_is_refused_with_its_name(engine: Engine) -> None:
    with pytest.raises(InvalidFilter, match="extension"):
        engine.search("cat", filters={"extention": "md"})


def test_a_declared_field_takes_the_place_of_a_built_in_one(tmp_path: Path) -> None:
    profile = {"tenant": "own", "metadata": {"fields": {"language": {"type": "keyword"}}}}
    with open_engine(profile, tmp_path) as engine:
        (tmp_path / "a.md").write_text(f"---\nlanguage: klingon\n---\n{ENGLISH}")
        engine.ingest_path(tmp_path / "a.md")
        assert len(engine.search("cat", filters={"language": "klingon"}).hits) == 1
        assert engine.search("cat", filters={"language": "en"}).hits == ()

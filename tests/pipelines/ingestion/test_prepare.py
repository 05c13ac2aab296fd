import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.schema import BaseNode, TransformComponent

from pipelines.catalogue import Catalogue
from pipelines.components.splitters import build_splitter
from pipelines.ingestion.identity import Identities
from pipelines.ingestion.prepare import Prepared, Preparer, UnchangedDocument
from pipelines.ingestion.transforms import Locate
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.reading.workers import ReaderPool, ReadingLimits
from pipelines.types import DocumentInput, IngestResult

PROFILE = {
    "tenant": "kennel",
    "metadata": {"fields": {"species": {"type": "keyword", "values": ["dog", "cat"]}}},
    "limits": {"content_chars": [5, 5000], "file_bytes": 200},
}
CUTTING = Chunking(splitter="markdown", unit="character", size=40, overlap=0)
UNASKED = (lambda text: pytest.fail("no tokens are counted"), lambda texts: pytest.fail("nothing is embedded"))
PLACING = Locate(with_headings=True, embed_title=True, embed_headings=True, context_weight=1)

Prepare = Callable[..., Prepared | IngestResult]


class Stumbling(TransformComponent):
    """A part with a bug that some text lays bare."""

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        if "stumble" in nodes[0].get_content():
            raise ZeroDivisionError("no words for an owner")
        return nodes


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue.in_folder(tmp_path, "kennel")
    opened.claim("any", {})
    yield opened
    opened.close()


@pytest.fixture
def readers() -> Iterator[ReaderPool]:
    pool = ReaderPool(ReadingLimits())
    yield pool
    pool.close()


@pytest.fixture
def preparer(catalogue: Catalogue, readers: ReaderPool) -> Preparer:
    return Preparer(
        Profile.model_validate(PROFILE),
        catalogue,
        lambda _: [Stumbling(), build_splitter(CUTTING, *UNASKED), PLACING],
        "fingerprint",
        readers=readers,
        identities=Identities(None, catalogue),
    )


@pytest.fixture
def prepared(preparer: Preparer) -> Callable[..., Prepared]:
    def prepare(content: Any, **offered: Any) -> Prepared:
        done = preparer(DocumentInput(content, **offered))
        assert isinstance(done, Prepared), done
        return done

    return prepare


@pytest.fixture
def failed(preparer: Preparer, catalogue: Catalogue) -> Callable[..., IngestResult]:
    """What became of a document that fails, which the catalogue must know and JSON must be able to say."""

    def prepare(content: Any, **offered: Any) -> IngestResult:
        done = preparer(DocumentInput(content, **offered))
        assert isinstance(done, IngestResult), done
        assert done.state == "failed"
        json.dumps([done.document_id, done.source, done.reason], ensure_ascii=False).encode()
        assert catalogue.document(done.document_id).reason == done.reason
        return done

    return prepare


def test_a_document_becomes_its_chunks_in_order(prepared: Callable[..., Prepared]) -> None:
    text = "---\ntitle: Dogs\nspecies: dog\n---\n# Beagle\nBeagles howl.\n# Pug\nPugs snore."
    done = prepared(text, source="dogs/all.md", metadata={"shelf": "B4"})
    assert (done.new.document_id, done.new.title, done.new.media_type) == ("dogs/all.md", "Dogs", "text/markdown")
    assert done.new.metadata == {"title": "Dogs", "species": "dog", "shelf": "B4"}
    assert (done.new.chunks, done.new.bytes) == (2, len(text))
    assert [(node.get_content(), node.metadata["context"]) for node in done.nodes] == [
        ("Beagle\n\nBeagles howl.", "Dogs > Beagle"),
        ("Pug\n\nPugs snore.", "Dogs > Pug"),
    ]


@pytest.mark.parametrize("text", ["---\na: &a [*a]\n---\nBody.", "---\na: " + "[" * 150 + "\n---\nBody."])
def test_hostile_frontmatter_fails_alone(failed: Callable[..., IngestResult], text: str) -> None:
    assert failed(text, document_id="a").code == "document_corrupt"


def test_an_unexpected_error_fails_one_document_and_is_logged(
    failed: Callable[..., IngestResult], prepared: Callable[..., Prepared], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        done = failed("Parsers may stumble.", document_id="a")
    assert done.reason == "it could not be read: an unexpected error (ZeroDivisionError); please report it"
    assert done.code == "document_unreadable"
    (record,) = caplog.records
    assert (record.name, record.exc_info is not None) == ("pipelines.ingestion.prepare", True)
    assert prepared("Others go on.", document_id="b").new.chunks == 1


@pytest.mark.parametrize("content", [5, None, ["text"], {"text": "Beagles howl."}, bytearray(b"Beagles howl.")])
def test_content_of_another_type_fails_alone(failed: Callable[..., IngestResult], content: Any) -> None:
    for document_id in ("a", None):
        done = failed(content, document_id=document_id)
        assert done.code == "document_invalid"
        expected = f"content: must be text, bytes or the path of a file, not {type(content).__name__}"
        assert done.reason == expected
        assert [problem.path for problem in done.problems] == ["content"]


@pytest.mark.parametrize("metadata", [5, None, "species", ["species"], [("species", "dog")]])
def test_metadata_that_is_not_a_mapping_fails_alone(failed: Callable[..., IngestResult], metadata: Any) -> None:
    done = failed("Beagles howl.", document_id="a", metadata=metadata)
    assert done.code == "document_invalid"
    assert done.reason == f"metadata: must be a mapping of names to values, not {type(metadata).__name__}"


@pytest.mark.parametrize("name", ["document_id", "source", "title", "media_type"])
def test_a_name_of_another_type_fails_alone(failed: Callable[..., IngestResult], name: str) -> None:
    done = failed("Beagles howl.", **{name: Path("a.md")})
    assert f"{name}: must be text, not PosixPath" in str(done.reason)


@pytest.mark.parametrize("name", ["document_id", "source", "title"])
@pytest.mark.parametrize("value", ["half \ud800", "x" * 513, "two\nlines", "nul\0"])
def test_a_name_that_cannot_be_recorded_fails_alone(failed: Callable[..., IngestResult], name: str, value: str) -> None:
    assert str(failed("Beagles howl.", **{name: value}).reason).startswith(f"{name}: ")


def test_unprintable_values_are_escaped_in_errors(
    failed: Callable[..., IngestResult],
) -> None:
    assert "not a format" in str(failed("Beagles howl.", document_id="a", media_type="half/\ud800").reason)
    assert "half a character" in str(failed("Beagles howl.", document_id="b", metadata={"species": "\ud800"}).reason)


def test_metadata_that_nests_too_deep_fails_alone(failed: Callable[..., IngestResult]) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert failed("Beagles howl.", document_id="a", metadata={"deep": deep}).reason == "metadata: nests too deep"


def test_a_file_with_an_invalid_name_fails_with_that_reason(
    failed: Callable[..., IngestResult], tmp_path: Path
) -> None:
    file = tmp_path / os.fsdecode(b"bad\xff.txt")
    file.write_text("Beagles howl.")
    for source in (None, file.name):
        done = failed(file, source=source)
        assert (done.document_id, done.source) == ("bad?.txt", "bad?.txt")
        assert done.reason == "source: the name of the file is not UTF-8; rename the file"


def test_a_file_with_a_line_break_in_its_name_fails_with_that_reason(
    failed: Callable[..., IngestResult], tmp_path: Path
) -> None:
    file = tmp_path / "two\nlines.txt"
    file.write_text("Beagles howl.")
    for done in (failed(file), failed("Beagles howl.", source=file.name)):
        assert (done.reason or "").startswith("source: must not hold control characters, such as a line break")
        assert (done.reason or "").endswith("rename it")
    assert failed("Beagles howl.", title="Two\nlines").reason == "title: must not hold control characters"


def test_a_file_is_known_by_its_name(prepared: Callable[..., Prepared], tmp_path: Path) -> None:
    file = tmp_path / "big_dogs.md"
    file.write_text("Danes are tall.")
    new = prepared(file).new
    assert (new.document_id, new.source, new.title) == ("big_dogs.md", "big_dogs.md", "big dogs")
    assert new.media_type == "text/markdown"
    named = prepared(file, document_id="danes").new
    assert (named.document_id, named.source) == ("danes", "big_dogs.md")


def test_a_text_without_a_name_is_known_by_its_content(prepared: Callable[..., Prepared]) -> None:
    first, again, other = (prepared(text).new for text in ("Pugs snore.", b"Pugs snore.", "Pugs run."))
    assert first.document_id == first.source == again.document_id
    assert first.document_id.startswith("content-")
    assert other.document_id != first.document_id


def test_a_missing_file_fails_alone(failed: Callable[..., IngestResult], tmp_path: Path) -> None:
    assert failed(tmp_path / "gone.md").reason == "the file cannot be read: No such file or directory"


def test_size_is_counted_in_bytes_whatever_holds_the_content(
    failed: Callable[..., IngestResult], prepared: Callable[..., Prepared], tmp_path: Path
) -> None:
    text = "日" * 67  # 201 bytes
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    for content in (text, text.encode(), tmp_path / "a.txt"):
        done = failed(content, document_id="a")
        assert done.code == "document_too_large"
        assert str(done.reason).startswith("201 bytes")
    assert prepared(text[1:], document_id="a").new.bytes == 198


def test_a_title_found_in_a_file_is_one_bounded_line(prepared: Callable[..., Prepared]) -> None:
    text = '---\ntitle: " Bea\\0gle\\n\\e care\\x85"\n---\nBeagles howl.'
    assert prepared(text, document_id="a").new.title == "Beagle care"
    nothing = '---\ntitle: "\\0\\n"\n---\nBeagles howl.'
    assert prepared(nothing, source="all_dogs.md").new.title == "all dogs"


def test_titles_are_cut(catalogue: Catalogue, readers: ReaderPool) -> None:
    roomy = Profile.model_validate(PROFILE | {"limits": {"content_chars": [5, 5000], "file_bytes": 5000}})
    steps = [build_splitter(CUTTING, *UNASKED), PLACING]
    identities = Identities(None, catalogue)
    prepare = Preparer(roomy, catalogue, lambda _: steps, "fingerprint", readers=readers, identities=identities)
    done = prepare(DocumentInput("---\ntitle: " + "t" * 900 + "\n---\n# " + "h" * 900 + "\nBody."))
    assert isinstance(done, Prepared)
    assert done.new.title == "t" * 512
    assert [heading.title for heading in done.new.headings] == ["h" * 512]
    assert done.nodes[0].metadata["context"] == "t" * 512 + " > " + "h" * 512


def test_a_given_title_wins_even_if_it_is_empty(prepared: Callable[..., Prepared]) -> None:
    text = "---\ntitle: Found\n---\nBeagles howl."
    titles = [prepared(text, source="a.md", title=title).new.title for title in (None, "Given", "")]
    assert titles == ["Found", "Given", ""]


def test_readable_versions_are_not_split_again(
    preparer: Preparer, prepared: Callable[..., Prepared], catalogue: Catalogue
) -> None:
    with catalogue.committing(lambda snapshot: None) as commit:
        commit.put(prepared("Beagles howl.", document_id="a").new)
    again = preparer(DocumentInput("Beagles howl.", document_id="a"))
    assert isinstance(again, UnchangedDocument)
    assert (again.offered.document_id, again.version) == ("a", 1)
    for changed in ({"title": "Dogs"}, {"metadata": {"species": "dog"}}, {"source": "b.md"}):
        assert isinstance(preparer(DocumentInput("Beagles howl.", document_id="a", **changed)), Prepared)

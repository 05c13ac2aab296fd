"""A tenant that keeps the pictures of its documents, and has a model describe them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from pipelines.engine import Engine, open_engine, restore
from pipelines.errors import PictureNotFound
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput, Hit
from tests.conftest import OpenTenant
from tests.fakes.ollama import FakeOllama, Reply, ollama_server
from tests.pipelines.reading.picture_files import framed, image, slides, word_file, workbook
from tests.pipelines.reading.reader_files import opendocument

KEEPING = """
tenant: workshop
pictures: {keep: true}
chunking: {size: 64, overlap: 0}
"""
DESCRIBING = """
tenant: workshop
pictures: {keep: true, describe: llm}
llm: {provider: ollama, model: sees, base_url: "URL", timeouts: {call_s: 20}}
"""
SEEN = "A brass valve with a red handle beside a pressure gauge"


@cache  # an archive holds the time when it was made
def manual(colour: str = "navy", alt: str = "Wiring of the pump") -> DocumentInput:
    text = "The pump is switched on at the wall. It runs for ten minutes and stops."
    return DocumentInput(
        word_file([text, (image(colour), alt), "Clean the filter in May."]), "manual", source="manual.docx"
    )


def pictured(engine: Engine, query: str) -> Hit:
    return engine.search(query, top_k=1).hits[0]


def test_a_hit_and_a_footnote_name_the_picture_that_they_are_about(open_tenant: OpenTenant) -> None:
    engine = open_tenant(KEEPING)
    engine.ingest([manual()])
    hit = pictured(engine, "wiring of the pump")
    assert [(one.number, one.media_type) for one in hit.pictures] == [(1, "image/png")]
    content = engine.content("manual")
    placed = hit.pictures[0]
    assert content[placed.span.start : placed.span.end] == "Picture 1: Wiring of the pump."
    cited = engine.answer("What does the wiring of the pump look like?").citations
    assert [citation.picture for citation in cited if "Picture 1" in citation.quote] == [placed]
    assert all(citation.picture is None for citation in cited if "Picture 1" not in citation.quote)
    assert engine.picture("manual", 1).content.startswith(b"\x89PNG")
    with pytest.raises(PictureNotFound):
        engine.picture("manual", 2)


def test_each_version_shows_its_own_pictures(open_tenant: OpenTenant) -> None:
    engine = open_tenant(KEEPING)
    engine.ingest([manual("navy")])
    engine.ingest([manual("red")])
    old, new = engine.picture("manual", 1, version=1), engine.picture("manual", 1)
    assert old.content != new.content
    assert engine.ingest([manual("red")])[0].state == "unchanged"


def test_without_the_section_nothing_is_kept_and_switching_it_on_reads_such_files_again(
    open_tenant: OpenTenant,
) -> None:
    plain = "tenant: workshop\n"
    engine = open_tenant(plain)
    engine.ingest([manual(), DocumentInput("A note.", "note", source="note.md")])
    assert "Picture" not in engine.content("manual")
    engine.close()
    engine = open_tenant(KEEPING)
    engine.reembed()
    offered = [manual(), DocumentInput("A note.", "note", source="note.md")]
    assert [result.state for result in engine.ingest(offered)] == ["ready", "unchanged"]
    assert engine.picture("manual", 1)


def test_switching_the_section_on_reads_files_of_opendocument_and_excel_again(open_tenant: OpenTenant) -> None:
    shown = f"<text:p>Pump{framed('Pictures/a.png', 'Wiring')}</text:p>"
    text = opendocument("text", shown, extra={"Pictures/a.png": image()})
    book = workbook({"Parts": ([["Pump", "12"]], [(image("red"), "A3")])})
    offered = [DocumentInput(text, "text", source="manual.odt"), DocumentInput(book, "book", source="parts.xlsx")]
    engine = open_tenant("tenant: workshop\n")
    engine.ingest(offered)
    engine.close()
    engine = open_tenant(KEEPING)
    engine.reembed()
    assert [result.state for result in engine.ingest(offered)] == ["ready", "ready"]
    assert [result.state for result in engine.ingest(offered)] == ["unchanged", "unchanged"]
    assert engine.content("text") == "Pump\n\nPicture 1: Wiring."
    assert engine.content("book") == "Parts\n\nPump | 12\n\nPicture 1."
    assert engine.picture("text", 1) != engine.picture("book", 1)


@pytest.mark.embedded
def test_a_conversation_and_a_backup_bring_the_picture_back(open_tenant: OpenTenant, tmp_path: Path) -> None:
    engine = open_tenant(KEEPING)
    engine.ingest([manual()])
    engine.answer("What does the wiring of the pump look like?", conversation_id="mine")
    kept = engine.picture("manual", 1)
    engine.backup(tmp_path / "workshop.backup")
    engine.close()
    profile = tmp_path / "restored.yaml"
    profile.write_text(KEEPING, encoding="utf-8")
    restore(load_profile(profile), tmp_path / "workshop.backup", tmp_path / "elsewhere")
    with open_engine(profile, tmp_path / "elsewhere") as restored:
        assert restored.picture("manual", 1) == kept
        (turn,) = restored.conversations.conversation("mine").turns
        placed = pictured(restored, "wiring of the pump").pictures[0]
        assert placed in [citation.picture for citation in turn.citations]


def test_a_synchronisation_reads_files_again_that_may_hold_pictures(open_tenant: OpenTenant, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "manual.docx").write_bytes(manual().content)
    (folder / "note.md").write_text("A note on filters.", encoding="utf-8")
    followed = f"knowledge: {{path: {folder}}}\n"
    states = []
    for section in ("", "pictures: {keep: true}\n", "pictures: {keep: true, most: 9}\n", ""):
        engine = open_tenant(f"tenant: workshop\n{section}{followed}")
        states.append({result.document_id: result.state for result in engine.sync().results})
        assert ("Picture 1" in engine.content("manual.docx")) == bool(section)
        engine.close()
    assert [each["manual.docx"] for each in states] == ["ready"] * 4
    assert [each["note.md"] for each in states] == ["ready", "unchanged", "unchanged", "unchanged"]


@contextmanager
def described(open_tenant: OpenTenant, say: Callable[[], str] = lambda: SEEN) -> Iterator[tuple[Engine, FakeOllama]]:
    with ollama_server(lambda asked: say()) as fake:
        yield open_tenant(DESCRIBING.replace("URL", fake.url)), fake


def test_a_picture_is_found_by_what_a_model_saw_in_it_and_the_footnote_says_who_saw_it(open_tenant: OpenTenant) -> None:
    with described(open_tenant) as (engine, fake):
        deck = slides([("Start-up", [(image("red"), "")]), ("Shut-down", [(image("red"), ""), (image("blue"), "")])])
        engine.ingest([DocumentInput(deck, "deck", source="deck.pptx")])
        assert len(fake.asked) == 2  # the same picture is described once
        assert all(asked.images[0].startswith(b"\xff\xd8") for asked in fake.asked)
        hit = pictured(engine, "brass valve with a red handle")
        assert {one.described_by for one in hit.pictures} == {"sees"}
        place = hit.pictures[0].span
        said = f"Picture 1. Described by a model: {SEEN}."
        assert engine.content("deck")[place.start : place.end] == said
        engine.ingest([DocumentInput(deck, "deck", source="deck.pptx", title="Another title")])
        assert len(fake.asked) == 2


def test_a_model_that_fails_keeps_no_document_out_and_is_asked_again(open_tenant: OpenTenant) -> None:
    answers = iter(["", SEEN])
    with described(open_tenant, lambda: next(answers)) as (engine, _):
        first = engine.ingest([manual()])[0]
        assert (first.state, first.passing) == ("ready", True)
        assert "could not be described" in (first.reason or "")
        assert engine.content("manual").count("Picture 1: Wiring of the pump.") == 1
        second = engine.ingest([manual()])[0]
        assert (second.state, second.reason) == ("ready", None)
        assert SEEN in engine.content("manual")
        assert engine.ingest([manual()])[0].state == "unchanged"


def test_a_picture_cannot_give_the_model_a_loop_of_words_to_store(open_tenant: OpenTenant) -> None:
    with described(open_tenant, lambda: "word " * 3000) as (engine, _):
        engine.ingest([manual()])
        assert len(engine.content("manual")) < 2500


def test_an_image_file_is_a_document_that_is_found_by_its_description(open_tenant: OpenTenant, tmp_path: Path) -> None:
    photo = tmp_path / "photo of the boiler.jpg"
    photo.write_bytes(image("red", kind="JPEG"))
    with described(open_tenant) as (engine, _):
        assert [result.state for result in engine.ingest_path(photo)] == ["ready"]
        hit = pictured(engine, "pressure gauge")
        assert (hit.title, hit.page, hit.pictures[0].media_type) == ("photo of the boiler", 1, "image/jpeg")


def test_embedding_again_keeps_the_pictures_and_what_was_said_of_them(open_tenant: OpenTenant) -> None:
    said = iter([SEEN, f"{SEEN} [1]."])
    with described(open_tenant, lambda: next(said)) as (first, fake):
        first.ingest([manual()])
        before = first.content("manual"), first.picture("manual", 1)
        first.close()
        engine = open_tenant(f"{DESCRIBING.replace('URL', fake.url)}chunking: {{size: 32, overlap: 0}}\n")
        assert [(result.state, result.version) for result in engine.reembed()] == [("ready", 2)]
        assert (engine.content("manual"), engine.picture("manual", 1)) == before
        assert engine.picture("manual", 1, version=1) == before[1]
        (placed,) = pictured(engine, "brass valve with a red handle").pictures
        assert (placed.number, placed.described_by) == (1, "sees")
        assert engine.ingest([manual()])[0].state == "unchanged"
        assert len(fake.asked) == 1
        (citation,) = engine.answer("Where is the brass valve with a red handle?").citations
        assert (citation.version, citation.picture) == (2, placed)


@pytest.mark.parametrize("name", ["manual.docx", "photo.png"])
def test_words_that_nothing_could_read_keep_no_document_out_and_are_read_later(
    open_tenant: OpenTenant, name: str
) -> None:
    content = image() if name == "photo.png" else word_file(["The pump.", (image(), "")])
    offered = [DocumentInput(content, "one", source=name)]
    said: list[str | Reply] = [Reply("", "missing")]
    with ollama_server(lambda asked: said[-1]) as fake:
        engine = open_tenant(f'{KEEPING}ocr: {{engine: ollama, model: sees, base_url: "{fake.url}"}}\n')
        first = engine.ingest(offered)[0]
        assert (first.state, first.passing) == ("ready", True)
        assert first.reason
        assert engine.content("one").endswith("Picture 1.")
        said.append("Close the brass valve.")
        second = engine.ingest(offered)[0]
        assert (second.state, second.version, second.reason) == ("ready", 2, None)
        assert engine.content("one").endswith("Close the brass valve.")
        assert engine.ingest(offered)[0].state == "unchanged"

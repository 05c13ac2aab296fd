"""Words in pictures, read by tesseract itself, as text that is found and cited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.scans import covered, drawn, file_of, needs_tesseract
from tests.pipelines.reading.picture_files import image, slides, word_file
from tests.pipelines.reading.reader_files import epub, pdf

pytestmark = needs_tesseract
PROFILE = """
tenant: workshop
pictures: {keep: true}
ocr: {engine: tesseract, dpi: 200}
chunking: {size: 64, overlap: 0}
"""
LABEL = file_of(drawn(("Close the brass valve", "before the pump starts."), size=(700, 240)))
READ = "Text in the picture: Close the brass valve before the pump starts."


@pytest.fixture
def engine(open_tenant: OpenTenant) -> Iterator[Engine]:
    return open_tenant(PROFILE)


def ingest(engine: Engine, content: bytes, source: str) -> str:
    (result,) = engine.ingest([DocumentInput(content, source, source=source)])
    assert (result.state, result.reason) == ("ready", None)
    return engine.content(source)


def test_a_footnote_quotes_the_words_in_a_picture_and_shows_it(engine: Engine) -> None:
    text = ingest(engine, word_file(["The manual.", (LABEL, "A label"), (image(), "A disc")]), "manual.docx")
    assert text == f"The manual.\n\nPicture 1: A label. {READ}\n\nPicture 2: A disc."
    (placed,) = engine.search("brass valve", top_k=1).hits[0].pictures[:1]
    assert (placed.number, placed.described_by) == (1, None)
    cited = engine.answer("When is the brass valve closed?").citations
    assert [citation.picture for citation in cited if "brass valve" in citation.quote] == [placed]


def test_words_are_read_in_the_pictures_of_slides_books_and_images(engine: Engine) -> None:
    deck = slides([("Start", [(LABEL, "A label")])])
    assert ingest(engine, deck, "deck.pptx") == f"Start\n\nPicture 1: A label. {READ}"
    chapter = '<html><body><h1>One</h1><p>See <img src="i/a.png" alt="A label"/></p></body></html>'
    book = epub({"one.xhtml": chapter}, extra={"OPS/i/a.png": LABEL})  # type: ignore[dict-item]
    assert f"Picture 1: A label. {READ}" in ingest(engine, book, "book.epub")
    photo = ingest(engine, LABEL, "photo.png")  # the words are the text of an image, and said once
    assert photo == "Picture 1.\n\nClose the brass valve\nbefore the pump starts."
    assert ingest(engine, image(), "disc.png") == "Picture 1."


def test_words_of_a_picture_are_read_beside_the_typed_words_of_a_page(engine: Engine) -> None:
    picture = drawn(("Close the brass valve", "before the pump starts."), size=(850, 1100))
    text = ingest(engine, covered(pdf([["Typed words of the manual."]]), picture), "manual.pdf")
    assert text == f"Typed words of the manual.\n\nPicture 1. {READ}"


def test_pictures_are_shown_without_their_words_where_the_profile_says_so(open_tenant: OpenTenant) -> None:
    silent = open_tenant(PROFILE.replace("keep: true", "keep: true, read_text: false"))
    content = word_file(["The manual.", (LABEL, "A label")])
    assert ingest(silent, content, "manual.docx") == "The manual.\n\nPicture 1: A label."
    silent.close()
    reading = open_tenant(PROFILE)
    assert READ in ingest(reading, content, "manual.docx")
    (again,) = reading.ingest([DocumentInput(content, "manual.docx", source="manual.docx")])
    assert again.state == "unchanged"

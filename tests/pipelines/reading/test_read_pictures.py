"""Pictures in files: kept with a block in the text, bounded, and left out where they are decoration or an attack."""

from __future__ import annotations

import base64
import io
import zlib
from collections.abc import Sequence
from contextlib import closing

import pytest
from PIL import Image

from pipelines.errors import CorruptDocument, ImageWithoutOcr
from pipelines.reading import read
from pipelines.reading.page_text import Kind, PageText, UnreadPage
from pipelines.reading.pictures import PictureBounds
from pipelines.reading.workers import ReaderPool, ReadingLimits
from tests.pipelines.reading.picture_files import blocks, bomb, drawn, hostile_images, image, slides, word_file
from tests.pipelines.reading.reader_files import epub, pdf

BOUNDS = PictureBounds()


def test_a_picture_of_a_word_document_stands_where_it_is_shown() -> None:
    content = word_file(
        ["Before.", (image(), "Wiring of the pump"), "After.", (image("red"), "Photo, automatically generated")]
    )
    document = read(content, name="manual.docx", pictures=BOUNDS)
    assert blocks(document) == ["Before.", "Picture 1: Wiring of the pump.", "After.", "Picture 2."]
    plain = read(content, name="manual.docx")
    assert (blocks(plain), plain.pictures) == (["Before.", "After."], ())


def test_pictures_of_slides_are_on_their_pages_and_a_logo_is_left_out() -> None:
    logo = image("green")
    pages = [
        (f"Slide {at}", [(logo, "logo"), (image(colour), "A disc")])
        for at, colour in enumerate(("red", "blue", "red", "black"))
    ]
    document = read(slides(pages), name="deck.pptx", pictures=BOUNDS)
    assert blocks(document) == [
        "Slide 0", "Picture 1: A disc.", "Slide 1", "Picture 2: A disc.",
        "Slide 2", "Picture 1: A disc.", "Slide 3", "Picture 3: A disc.",
    ]  # fmt: skip
    for page, placed in zip(document.pages, document.placed, strict=True):
        assert page.span.start < placed.span.start <= placed.span.end <= page.span.end


def test_a_picture_of_a_pdf_follows_its_caption() -> None:
    first = [
        "The pump is blue.",
        "It pumps.",
        "It is loud.",
        drawn((200, 10, 10), (100, 400, 200, 150)),
        312,
        "Figure 3: Wiring.",
    ]
    second = ["Valves.", drawn((10, 10, 200), (100, 400, 200, 150)), drawn((0, 90, 0), (10, 10, 20, 20))]
    document = read(pdf([first, second]), name="manual.pdf", pictures=BOUNDS)
    assert blocks(document) == [
        "The pump is blue. It pumps.", "It is loud.", "Figure 3: Wiring.",
        "Picture 1: Figure 3: Wiring.", "Valves.", "Picture 2.",
    ]  # fmt: skip
    assert [document.text[page.span.start : page.span.end].endswith("Picture 2.") for page in document.pages] == [
        False,
        True,
    ]


def test_pages_and_books_show_the_images_that_they_hold() -> None:
    data = f"data:image/png;base64,{base64.b64encode(image()).decode()}"
    far = '<img src="https://example.org/x.png" alt="Far">'
    page = f'<h1>Pump</h1><p>See <img src="{data}" alt="The pump"> here.</p>{far}'
    document = read(page.encode(), name="page.html", pictures=BOUNDS)
    assert blocks(document) == ["Pump", "See", "Picture 1: The pump.", "here.", "Far"]
    table = '<figure><table><tr><td>A</td><td>B <img src="i/a.png"></td></tr><tr><td>C</td><td>D</td></tr></table>'
    chapter = f"<html><body><h1>One</h1>{table}<figcaption>Valve</figcaption></figure></body></html>"
    book = epub({"one.xhtml": chapter}, extra={"OPS/i/a.png": image()})  # type: ignore[dict-item]
    assert "Picture 1: Valve." in blocks(read(book, name="book.epub", pictures=BOUNDS))


def test_an_image_is_a_document_of_one_picture() -> None:
    large = image(size=(4000, 1000), kind="JPEG")
    document = read(large, name="photo.jpg", pictures=BOUNDS)
    assert blocks(document) == ["Picture 1."]
    with Image.open(io.BytesIO(document.pictures[0].content)) as kept:
        assert kept.size == (1600, 400)
    with pytest.raises(ImageWithoutOcr):
        read(large, name="photo.jpg")
    with pytest.raises(CorruptDocument, match="cannot be decoded"):
        read(bomb(), name="photo.png", pictures=BOUNDS)


def test_where_a_camera_was_is_not_kept() -> None:
    target = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "51.5 N, 0.1 W", 6
    Image.new("RGB", (300, 200)).save(target, "JPEG", exif=exif)
    kept = read(target.getvalue(), name="photo.jpg", pictures=BOUNDS).pictures[0].content
    assert b"51.5 N" not in kept
    with Image.open(io.BytesIO(kept)) as upright:
        assert upright.size == (200, 300)


def test_hostile_pictures_are_left_out_alone() -> None:
    hostile = [*hostile_images(), b"<svg onload='alert(1)'/>", b"GIF89a"]
    content = word_file(["Before.", *((each, "hostile") for each in hostile), (image(), "fine"), "After."])
    with closing(ReaderPool(ReadingLimits())) as pool:
        document = pool.read(content, name="manual.docx", pictures=BOUNDS)
    assert blocks(document) == ["Before.", "Picture 1: fine.", "After."]


def test_of_five_thousand_pictures_a_bounded_number_is_kept() -> None:
    drawn_once = image()
    many = [(drawn_once + b"%d" % at, f"number {at}") for at in range(5000)]  # what follows a PNG's end is not read
    with closing(ReaderPool(ReadingLimits())) as pool:
        document = pool.read(word_file(many), name="many.docx", pictures=PictureBounds(most=20))
    assert len(document.pictures) == 20
    assert blocks(document)[-1] == "Picture 20: number 19."


def test_pictures_whose_pixels_are_too_many_together_are_bounded() -> None:
    drawn_once = image(size=(1000, 1000))
    wide = [(drawn_once + b"%d" % at, f"number {at}") for at in range(9)]
    document = read(word_file(wide), name="wide.docx", pictures=PictureBounds(pixels=5_000_000))
    assert [placed.number for placed in document.placed] == [1, 2, 3, 4, 5]


class Recognising:
    """Finds these texts on the pages of a file."""

    name = "stand-in"

    def __init__(self, *texts: str) -> None:
        self._texts = texts

    def pages_in(self, image: bytes) -> int | UnreadPage:
        return len(self._texts)

    def read(self, content: bytes, kind: Kind, pages: Sequence[int]) -> dict[int, PageText | UnreadPage]:
        return {page: PageText(self._texts[page]) for page in pages}


def test_a_scanned_page_is_no_picture_where_its_text_was_recognised() -> None:
    scanned = pdf([[drawn((9, 9, 9), (0, 0, 612, 792))], ["Typed."]])
    assert blocks(read(scanned, name="a.pdf", pictures=BOUNDS)) == ["Picture 1.", "Typed."]
    recognised = read(scanned, name="a.pdf", pictures=BOUNDS, ocr=Recognising("What was scanned."))
    assert blocks(recognised) == ["What was scanned.", "Typed."]


def test_an_image_shows_its_picture_and_the_text_on_it() -> None:
    with_text = read(image(), name="a.png", pictures=BOUNDS, ocr=Recognising("A label."))
    assert blocks(with_text) == ["Picture 1.", "A label."]
    assert blocks(read(image(), name="a.png", pictures=BOUNDS, ocr=Recognising(""))) == ["Picture 1."]


def test_hostile_pictures_of_a_pdf_are_left_out_alone() -> None:
    def inline(size: int, data: bytes) -> bytes:
        head = f"q 200 0 0 200 50 300 cm BI /W {size} /H {size} /BPC 8 /CS /RGB /F /Fl ID "
        return head.encode() + data + b"\nEI Q\n"

    huge, torn = inline(60_000, zlib.compress(b"x")), inline(90, zlib.compress(b"x" * 24_300)[:20])
    page = ["Words.", huge, torn, drawn((0, 99, 0), (300, 100, 200, 150))]
    with closing(ReaderPool(ReadingLimits())) as pool:
        document = pool.read(pdf([page]), name="a.pdf", pictures=BOUNDS)
    assert blocks(document)[0] == "Words."
    assert 1 <= len(document.pictures) <= 2

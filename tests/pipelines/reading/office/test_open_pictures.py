"""Pictures in OpenDocument files: where they stand, what they are called, and which are left out."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO

from PIL import Image

from pipelines.reading import read
from pipelines.reading.pictures import PictureBounds
from pipelines.reading.workers import ReaderPool, ReadingLimits
from pipelines.types import ParsedDocument
from tests.pipelines.reading.picture_files import blocks, framed, hostile_images, image
from tests.pipelines.reading.reader_files import opendocument

BOUNDS = PictureBounds()


def text(body: str, bounds: PictureBounds | None = BOUNDS, **pictures: bytes) -> ParsedDocument:
    """A text that was read, with these parts among its pictures."""
    parts = {f"Pictures/{name}.png": content for name, content in pictures.items()}
    with closing(ReaderPool(ReadingLimits())) as pool:
        return pool.read(opendocument("text", body, extra=parts), name="manual.odt", pictures=bounds)


def p(words: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{words}</text:p>'


def test_a_picture_of_65536_shades_of_grey_is_scaled_to_256() -> None:
    grey = BytesIO()
    Image.new("I;16", (200, 100), 0x8000).save(grey, "PNG")
    [picture] = text(framed("Pictures/a.png", "X-ray"), a=grey.getvalue()).pictures
    assert Image.open(BytesIO(picture.content)).getpixel((50, 50)) == (128, 128, 128)


def test_a_picture_of_a_text_stands_behind_the_paragraph_that_shows_it() -> None:
    shown = framed("Pictures/a.png", "Wiring of the pump")
    item = f"<text:list><text:list-item>{p('A step.' + framed('./Pictures/b.png'))}</text:list-item></text:list>"
    body = f"{framed('Pictures/c.png', 'On the page')}<text:h>Pump{shown}</text:h>{p(f'See {shown} here.')}{item}"
    pictures = {"a": image(), "b": image("red"), "c": image("green")}
    document = text(body + p("After."), **pictures)
    assert blocks(document) == [
        "Picture 1: On the page.", "Pump", "Picture 2: Wiring of the pump.", "See  here.",
        "Picture 2: Wiring of the pump.", "- A step.", "Picture 3.", "After.",
    ]  # fmt: skip
    plain = text(body, None, **pictures)
    assert (blocks(plain), plain.pictures) == (["Pump", "See  here.", "- A step."], ())


def test_pictures_in_tables_and_boxes_are_read_with_their_captions() -> None:
    cell = f"<table:table-cell>{p('Valve' + framed('Pictures/a.png'))}</table:table-cell>"
    row = f"<table:table-row>{cell}<table:table-cell>{p('open')}</table:table-cell></table:table-row>"
    caption = p(f"{framed('Pictures/b.png', 'b.png')}Figure 1: The pump", "Illustration")
    box = p(f"<draw:frame><draw:text-box>{caption}</draw:text-box></draw:frame>")
    document = text(f"<table:table>{row}</table:table>{box}", a=image(), b=image("red"))
    assert blocks(document) == ["Valve | open", "Picture 1.", "Figure 1: The pump", "Picture 2: Figure 1: The pump."]


def test_of_the_forms_of_a_picture_the_first_that_can_be_kept_is_shown() -> None:
    preview = f"<draw:frame><table:table/>{framed('Pictures/c.png')[12:]}"
    body = p("A drawing." + framed("Pictures/b.png", "Drawn", also="Pictures/a.png")) + p(preview)
    document = text(body, a=b"<svg onload='alert(1)'/>", b=image(), c=image("red"))
    assert blocks(document) == ["A drawing.", "Picture 1: Drawn."]


def test_pictures_of_slides_are_on_their_pages() -> None:
    title = f'<draw:frame presentation:class="title"><draw:text-box>{p("Plan")}</draw:text-box></draw:frame>'
    grouped = f"<draw:g>{framed('Pictures/a.png', 'The pump')}</draw:g>"
    notes = f"<presentation:notes>{framed('Pictures/b.png', 'Preview')}{p('Speak.')}</presentation:notes>"
    first = f"<draw:page>{title}{grouped}{notes}</draw:page>"
    second = f"<draw:page>{framed('Pictures/c.png')}</draw:page>"
    parts = {f"Pictures/{name}.png": image(colour) for name, colour in zip("abc", ("red", "blue", "lime"), strict=True)}
    document = read(opendocument("presentation", first + second, extra=parts), name="deck.odp", pictures=BOUNDS)
    assert blocks(document) == ["Plan", "Picture 1: The pump.", "Note: Speak.", "Picture 2."]
    assert [document.text[page.span.start : page.span.end].strip() for page in document.pages] == [
        "Plan\n\nPicture 1: The pump.\n\nNote: Speak.", "Picture 2.",
    ]  # fmt: skip


def test_hostile_pictures_are_left_out_alone() -> None:
    hostile = [*hostile_images(), image("lime") + bytes(31_000_000)]
    pictures = {f"p{at}": each for at, each in enumerate(hostile)}
    far = ["https://example.org/x.png", "../Pictures/fine.png", "/etc/passwd", "Pictures/none.png", ""]
    named = [*(f"Pictures/{name}.png" for name in pictures), *far]
    body = "".join(p(framed(name, "hostile")) for name in named)
    document = text(f"{p('Before.')}{body}{p(framed('Pictures/fine.png', 'fine'))}", **pictures, fine=image())
    assert blocks(document) == ["Before.", "Picture 1: fine."]


def test_a_logo_is_left_out_and_what_is_kept_is_bounded() -> None:
    large = image(size=(1000, 1000))
    many = {f"p{at}": large + b"%d" % at for at in range(1000)}  # what follows a PNG's end is not read
    logo = p(framed("Pictures/logo.png", "logo"))
    body = logo * 4 + "".join(p(framed(f"Pictures/{name}.png", name)) for name in many)
    parts = {**many, "logo": image("red")}
    assert blocks(text(body, PictureBounds(most=3), **parts)) == ["Picture 1: p0.", "Picture 2: p1."]
    assert len(text(body, PictureBounds(pixels=5_000_000), **parts).pictures) == 4

"""Documents with pictures in them, for tests."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping, Sequence

from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image, ImageDraw
from pptx import Presentation
from pptx.util import Inches

from pipelines.types import ParsedDocument
from tests.pipelines.reading.reader_files import docx, paragraph

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"


def blocks(document: ParsedDocument) -> list[str]:
    """The texts of a document's blocks, after a check that pictures, blocks and places are those of the text."""
    shown = [block.span for block in document.blocks if block.kind == "picture"]
    assert shown == [placed.span for placed in document.placed]
    assert {placed.number for placed in document.placed} == set(range(1, len(document.pictures) + 1))
    for picture in document.pictures:
        with Image.open(io.BytesIO(picture.content)) as opened:
            opened.load()
            assert Image.MIME[str(opened.format)] == picture.media_type
    return [document.text[block.span.start : block.span.end] for block in document.blocks]


def image(colour: str = "navy", size: tuple[int, int] = (240, 160), kind: str = "PNG") -> bytes:
    """A picture of a disc of a colour."""
    drawn = Image.new("RGB", size, "white")
    ImageDraw.Draw(drawn).ellipse((8, 8, size[0] - 8, size[1] - 8), fill=colour)
    target = io.BytesIO()
    drawn.save(target, kind)
    return target.getvalue()


def bomb(side: int = 60_000) -> bytes:
    """A PNG whose header promises a square of so many pixels a side."""
    whole = bytearray(image())
    whole[16:24] = side.to_bytes(4, "big") * 2
    whole[29:33] = zlib.crc32(bytes(whole[12:29])).to_bytes(4, "big")
    return bytes(whole)


def shown(relation: str, alt: str = "") -> str:
    """A paragraph of Word that shows a picture."""
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{_DRAWING}/wordprocessingDrawing"><wp:docPr id="1" name="p" '
        f'descr="{alt}"/><a:graphic xmlns:a="{_DRAWING}/main"><a:graphicData><pic:pic xmlns:pic="{_DRAWING}/picture">'
        f'<pic:blipFill><a:blip xmlns:r="{_OFFICE}" r:embed="{relation}"/></pic:blipFill></pic:pic></a:graphicData>'
        "</a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def word_file(parts: Sequence[str | tuple[bytes, str]]) -> bytes:
    """A Word document of paragraphs, and of pictures with their alternative texts."""
    body, listed, media = [], [], {}
    for number, part in enumerate(parts):
        if isinstance(part, str):
            body.append(paragraph(part))
            continue
        body.append(shown(f"i{number}", part[1]))
        listed.append(f'<Relationship Id="i{number}" Type="{_OFFICE}/image" Target="media/{number}.png"/>')
        media[f"word/media/{number}.png"] = part[0]
    relations = f'<Relationships xmlns="{_RELATIONS}">{"".join(listed)}</Relationships>'
    return docx("".join(body), extra={"word/_rels/document.xml.rels": relations, **media})


def framed(name: str, alt: str = "", also: str = "") -> str:
    """A frame of OpenDocument that shows a picture; ``also``: another form of it that comes first."""
    forms = "".join(f'<draw:image xlink:href="{form}"/>' for form in (also, name) if form)
    return f"<draw:frame>{forms}<svg:desc>{alt}</svg:desc></draw:frame>"


def hostile_images() -> list[bytes]:
    """What passes for a picture and must not be kept: bombs, a torn one, rubbish, one that is too narrow."""
    return [bomb(), bomb(5001), image()[:200], b"junk", b"", image(size=(20, 400))]


def slides(pages: Sequence[tuple[str, Sequence[tuple[bytes, str]]]]) -> bytes:
    """A presentation: of each slide its title, and its pictures with their alternative texts."""
    deck = Presentation()
    for title, pictures in pages:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
        for place, (content, alt) in enumerate(pictures):
            shape = slide.shapes.add_picture(
                io.BytesIO(content), Inches(1 + 3 * place), Inches(2), Inches(2), Inches(2)
            )
            shape._element._nvXxPr.cNvPr.set("descr", alt)
    target = io.BytesIO()
    deck.save(target)
    return target.getvalue()


def workbook(
    sheets: Mapping[str, tuple[Sequence[Sequence[str]], Sequence[tuple[bytes, str]]]], hidden: str = ""
) -> bytes:
    """A workbook: the rows of each sheet, and its pictures with the cells at which they begin."""
    book = Workbook()
    book.remove(book.active)
    for name, (rows, pictures) in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
        for row in rows:
            sheet.append(row)
        for content, cell in pictures:
            sheet.add_image(SheetImage(io.BytesIO(content)), cell)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def drawn(colour: tuple[int, int, int], box: tuple[int, int, int, int], side: int = 80) -> bytes:
    """What draws a square picture into a box (left, bottom, width, height) of a PDF's page."""
    data = zlib.compress(bytes(colour) * (side * side // 2) + b"\xff\xff\xff" * (side * side - side * side // 2))
    left, bottom, width, height = box
    head = f"q {width} 0 0 {height} {left} {bottom} cm BI /W {side} /H {side} /BPC 8 /CS /RGB /F /Fl ID "
    return head.encode() + data + b"\nEI Q\n"

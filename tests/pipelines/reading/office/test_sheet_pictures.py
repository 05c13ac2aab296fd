"""Pictures on the sheets of workbooks, of Excel and of OpenDocument."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from contextlib import closing

from pipelines.reading import read
from pipelines.reading.pictures import PictureBounds
from pipelines.reading.workers import ReaderPool, ReadingLimits
from pipelines.types import ParsedDocument
from tests.pipelines.reading.picture_files import blocks, bomb, framed, image, workbook
from tests.pipelines.reading.reader_files import archive, opendocument

BOUNDS = PictureBounds()


def changed(book: bytes, parts: Mapping[str, bytes] = {}, words: Mapping[bytes, bytes] = {}) -> bytes:
    """A workbook with other parts, and other words in those of its drawings."""
    with zipfile.ZipFile(io.BytesIO(book)) as package:
        found = {name: package.read(name) for name in package.namelist()}
    for name in filter(lambda name: "/drawings/" in name, list(found)):
        for old, new in words.items():
            found[name] = found[name].replace(old, new)
    return archive({**found, **parts})


def confined(book: bytes, bounds: PictureBounds = BOUNDS) -> ParsedDocument:
    with closing(ReaderPool(ReadingLimits())) as pool:
        return pool.read(book, name="parts.xlsx", pictures=bounds)


def test_pictures_follow_the_rows_of_their_sheet_from_top_to_bottom() -> None:
    rows = [["Part", "Price"], ["Pump", "12"]]
    sheets = {
        "Parts": (rows, [(image("red"), "D9"), (image(), "B4")]),
        "Plan": ([], [(image(), "A1")]),
        "Secret": ([["x", "y"]], [(image("lime"), "A1")]),
        "Empty": ([], []),
    }
    as_excel_does = {b'descr="Picture"': b'descr="Seen from above"', b"/xl/media/": b"../media/"}
    book = changed(workbook(sheets, hidden="Secret"), words=as_excel_does)
    named = ["Picture 1: Seen from above.", "Picture 2: Seen from above."]
    document = read(book, name="parts.xlsx", pictures=BOUNDS)
    assert blocks(document) == ["Parts", "Part | Price", "Pump | 12", *named, "Plan", named[0]]
    plain = read(book, name="parts.xlsx")
    assert (blocks(plain), plain.pictures) == (["Parts", "Part | Price", "Pump | 12"], ())


def test_a_program_that_names_every_picture_the_same_says_nothing() -> None:
    document = read(workbook({"Plan": ([], [(image(), "A1")])}), name="parts.xlsx", pictures=BOUNDS)
    assert blocks(document) == ["Plan", "Picture 1."]


def test_hostile_pictures_are_left_out_alone() -> None:
    hostile = [bomb(), image()[:200], b"junk", b"<svg onload='alert(1)'/>", image("lime") + bytes(31_000_000)]
    shown = [(image(colour), f"A{at + 2}") for at, colour in enumerate(("red", "blue", "lime", "gold", "pink", "navy"))]
    book = workbook({"Parts": ([["Pump", "blue"]], shown)})
    parts = {f"xl/media/image{at}.png": each for at, each in enumerate(hostile, start=1)}
    assert blocks(confined(changed(book, parts))) == ["Parts", "Pump | blue", "Picture 1."]


def test_a_drawing_that_is_damaged_or_elsewhere_harms_nothing() -> None:
    book = workbook({"Parts": ([["Pump", "blue"]], [(image(), "A1")]), "More": ([], [(image("red"), "A1")])})
    far = {b"Target=": b'TargetMode="External" Target=', b"/xl/media": b"https://example.org"}
    up = {b"/xl/media/": b"../../../../etc/"}
    for broken in (
        changed(book, {"xl/drawings/drawing1.xml": b"<wsDr><oneCell"}),
        changed(book, {"xl/drawings/_rels/drawing1.xml.rels": b"junk"}),
        changed(book, {"xl/worksheets/_rels/sheet1.xml.rels": b"<Relationships/>"}),
    ):
        assert blocks(confined(broken)) == ["Parts", "Pump | blue", "More", "Picture 1."]
    for words in (far, up):
        assert blocks(confined(changed(book, words=words))) == ["Parts", "Pump | blue"]


def test_what_is_kept_of_a_workbook_is_bounded() -> None:
    large = image(size=(1000, 1000))
    shown = [(large + b"%d" % at, f"A{at + 1}") for at in range(30)]
    book = workbook({"Plan": ([], shown), "Logo": ([], [(image("red"), f"A{at}") for at in range(1, 6)])})
    assert len(confined(book, PictureBounds(most=9)).pictures) == 9
    assert len(confined(book, PictureBounds(pixels=5_000_000)).pictures) == 5
    assert blocks(confined(book))[-2:] == ["Picture 30.", "Logo"]  # what the last sheet shows five times is left out


def test_pictures_on_the_sheets_of_opendocument_follow_their_rows() -> None:
    cell = f"<table:table-cell><text:p>Pump</text:p>{framed('Pictures/a.png', 'The pump')}</table:table-cell>"
    row = f"<table:table-row>{cell}<table:table-cell><text:p>12</text:p></table:table-cell></table:table-row>"
    floating = f"<table:shapes>{framed('Pictures/b.png')}</table:shapes>"
    body = f'<table:table table:name="Parts">{floating}{row}</table:table>'
    parts = {"Pictures/a.png": image(), "Pictures/b.png": image("red")}
    book = opendocument("spreadsheet", body, extra=parts)
    document = read(book, name="parts.ods", pictures=BOUNDS)
    assert blocks(document) == ["Parts", "Pump | 12", "Picture 1.", "Picture 2: The pump."]
    assert blocks(read(book, name="parts.ods")) == ["Parts", "Pump | 12"]

"""What cannot be read, or only for ever: hostile files, programs that hang and fail, and ends in the middle."""

from __future__ import annotations

import os
import resource
import struct
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from pipelines.errors import CorruptDocument, IllegibleDocument, ImageWithoutOcr, OcrStopped, OcrUnavailable
from pipelines.reading import read
from tests.fakes.scans import drawn, file_of, joined
from tests.pipelines.reading.ocr.ocr_cases import TSV, pages_of, read_by, stand_in, tesseract
from tests.pipelines.reading.reader_files import PdfFile, pdf

pytestmark = pytest.mark.usefixtures("closed")

SCAN = file_of(drawn(("A line",)), kind="PDF")
WORD = f"printf '%s\\n' '{TSV}'"
Standing = Callable[[str], None]


@pytest.fixture
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Standing:
    return lambda script: stand_in(tmp_path, script, monkeypatch)


def word(text: str, confidence: int = 90) -> str:
    return f"cat > /dev/null; {WORD.format(confidence=confidence, word=text)}"


def png_of(width: int, height: int) -> bytes:
    """A PNG that says it is so large, and holds next to nothing."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"")),
        (b"IEND", b""),
    ]
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def pdf_of(box: str, picture: str = "/Width 1 /Height 1", drawn: str = "q 500 0 0 500 0 0 cm /I Do Q") -> bytes:
    """A PDF page of this size, with a picture that says it is so large."""
    file = PdfFile()
    catalogue, tree = file.add(), file.add()
    stream = f"<< /Type /XObject /Subtype /Image {picture} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 4 >>"
    image = file.add(f"{stream}\nstream\nabcd\nendstream")
    drawing = file.add(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    font = file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    used = f"/XObject << /I {image} 0 R >> /Font << /F1 {font} 0 R >>"
    page = f"/Parent {tree} 0 R /MediaBox [{box}] /Contents {drawing} 0 R /Resources << {used} >>"
    number = file.add(f"<< /Type /Page {page} >>")
    file.put(tree, f"<< /Type /Pages /Kids [{number} 0 R] /Count 1 >>")
    file.put(catalogue, f"<< /Type /Catalog /Pages {tree} 0 R >>")
    return file.bytes(catalogue, "")


@pytest.mark.parametrize("box", ["0 0 1000000000 1000000000", "0 0 9000 9000"])
def test_a_page_of_any_size_is_drawn_within_bounds(standing: Standing, tmp_path: Path, box: str) -> None:
    standing(f"cat > {tmp_path}/drawn.png; {word('seen')}")
    assert read_by(tesseract(), pdf_of(box)).text == "seen"
    with Image.open(tmp_path / "drawn.png") as page:
        assert page.width * page.height <= 25_100_000


@pytest.mark.parametrize("origin", [0, -250, 1000])
def test_a_stamped_scan_is_read_wherever_its_page_begins(standing: Standing, origin: int) -> None:
    standing(word("seen-below-the-stamp"))
    drawn = f"q 450 0 0 450 {origin} {origin} cm /I Do Q BT /F1 9 Tf {origin + 20} {origin + 470} Td (Stamp) Tj ET"
    box = f"{origin} {origin} {origin + 500} {origin + 500}"
    assert read_by(tesseract(), pdf_of(box, drawn=drawn)).text == "seen-below-the-stamp"


def test_a_page_that_cannot_be_drawn_for_want_of_processes_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(OcrUnavailable, match="no program can be started"):
        read_by(tesseract(), SCAN)


def test_a_page_that_is_cut_to_nothing_is_drawn_whole(standing: Standing, tmp_path: Path) -> None:
    standing(f"cat > {tmp_path}/drawn.png; {word('seen')}")
    assert read_by(tesseract(), pdf_of("0 0 600 600] /CropBox [900 900 950 950")).text == "seen"
    with Image.open(tmp_path / "drawn.png") as page:
        assert page.width == page.height > 500


@pytest.mark.parametrize(
    ("content", "name"),
    [(png_of(60_000, 60_000), "a.png"), (pdf_of("0 0 500 500", "/Width 60000 /Height 60000"), "a.pdf")],
)
def test_a_picture_that_would_fill_the_memory_is_refused_before_it_is_unpacked(
    standing: Standing, content: bytes, name: str
) -> None:
    standing(word("never"))
    with pytest.raises((IllegibleDocument, CorruptDocument), match="60,000 by 60,000 pixels is too large"):
        read_by(tesseract(), content, name)


def test_an_image_without_text_recognition_says_how_to_switch_it_on() -> None:
    with pytest.raises(ImageWithoutOcr, match="engine: tesseract"):
        read(file_of(drawn(("A line",))), name="a.png")


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\nrubbish", png_of(90, 90)])
def test_a_damaged_image_fails_with_its_reason(standing: Standing, content: bytes) -> None:
    standing(word("never"))
    with pytest.raises((CorruptDocument, IllegibleDocument), match=r"not an image that can be read|damaged"):
        read_by(tesseract(), content, "a.png")


def test_a_program_that_hangs_is_ended_and_its_page_named(standing: Standing, tmp_path: Path) -> None:
    standing(f"echo $$ > {tmp_path}/pid; sleep 600")
    with pytest.raises(IllegibleDocument, match=r"page 1: tesseract was not done within 0.5 s"):
        read_by(tesseract(page_timeout_s=0.5), SCAN)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_page_that_fails_is_named_and_the_others_are_read(standing: Standing, tmp_path: Path) -> None:
    standing(f"if mkdir {tmp_path}/once; then echo boom >&2; exit 1; fi; {word('seen')}")
    document = read_by(tesseract(concurrency=1), joined(SCAN, file_of(drawn(("Another",)), kind="PDF")))
    assert pages_of(document) == ["", "seen"]
    assert document.scan is not None
    assert (document.scan.read, document.scan.unread) == ((2,), {1: "tesseract failed (boom)"})
    assert not document.scan.passing


def test_noise_from_a_photograph_is_not_text(standing: Standing) -> None:
    standing(word("xq~", confidence=12))
    with pytest.raises(IllegibleDocument, match="could make out no words"):
        read_by(tesseract(), SCAN)


def test_pages_beyond_the_limit_are_left_out_and_named(standing: Standing) -> None:
    standing(word("seen"))
    document = read_by(tesseract(pages=2), joined(SCAN, SCAN, SCAN))
    assert document.scan is not None
    assert document.scan.read == (1, 2)
    assert "ocr -> pages" in document.scan.unread[3]


def test_pages_left_after_the_time_limit_are_read_next_time(standing: Standing) -> None:
    standing(word("seen"))
    with pytest.raises(OcrUnavailable, match="document_timeout_s"):
        read_by(tesseract(document_timeout_s=1e-6), SCAN)


@pytest.mark.parametrize("content", [SCAN, file_of(drawn(("A line",)))])
def test_a_full_temporary_folder_is_no_fault_of_the_document(
    standing: Standing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    standing(word("seen"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # a longer file fails as on a full disk
    try:
        with pytest.raises(OcrUnavailable, match=r"pages cannot be written to \S+ \(File too large\)"):
            read_by(tesseract(), content, "a.pdf" if content is SCAN else "a.png")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert not list(tmp_path.glob("footnote-ocr-*"))


def test_the_same_page_is_read_once(standing: Standing, tmp_path: Path) -> None:
    standing(f"echo run >> {tmp_path}/runs; {word('seen')}")
    ocr = tesseract(concurrency=1)
    for content in (SCAN, joined(pdf([["Typed"]]), SCAN)):
        assert "seen" in read_by(ocr, content).text
    assert (tmp_path / "runs").read_text() == "run\n"


def test_closing_ends_what_is_being_read(standing: Standing, tmp_path: Path) -> None:
    standing(f"echo $$ > {tmp_path}/pid; sleep 600")
    ocr = tesseract(concurrency=1)
    raised: list[Exception] = []

    def reading() -> None:
        try:
            read_by(ocr, joined(SCAN, SCAN))
        except OcrStopped as error:
            raised.append(error)

    thread = threading.Thread(target=reading)
    thread.start()
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    ocr.close()
    thread.join()
    assert len(raised) == 1

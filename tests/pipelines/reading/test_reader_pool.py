"""Files read in child processes: their cost is bounded, and a child that dies fails its own file only."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipelines.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument, ReaderStopped, ReadingTooCostly
from pipelines.reading import read
from pipelines.reading.page_text import Kind, PageText, UnreadPage
from pipelines.reading.workers import ReaderPool, ReadingLimits
from tests.pipelines.reading.reader_files import docx, paragraph, pdf

PAGE = b"<h1>Dogs</h1><p>Beagles howl.<table><tr><th>Name<th>Age<tr><td>Rex<td>3</table>"
ENDLESS = b"<p>a" * 200_000
PICTURE = b"q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x00 EI Q"
SCAN = pdf([[PICTURE], [PICTURE]])


@pytest.fixture
def pool() -> Iterator[ReaderPool]:
    opened = ReaderPool(ReadingLimits(seconds=20))
    yield opened
    opened.close()


def children(pool: ReaderPool) -> list[int]:
    return [process._program.pid for process in (*pool._idle, *pool._busy)]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (PAGE, "a.html"),
        (docx(paragraph("Hello")), "a.docx"),
        (pdf([["One page."], ["Another."]], bookmarks=[("Start", 0)], labels="0 << /S /r >>"), "a.pdf"),
        ("| a | b |\n|---|---|\n| ä | 😀 |\n" + "x\n" * 20_000, "a.md"),
        (b"a,b\n1,2\n", "a.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 10 else "",
)
def test_a_child_reads_what_this_process_reads(pool: ReaderPool, content: bytes | str, name: str) -> None:
    assert pool.read(content, name=name) == read(content, name=name)


def test_small_plain_files_start_no_child(pool: ReaderPool) -> None:
    assert pool.read("# Dogs\n\nBeagles howl.", name="a.md").title == "Dogs"
    assert pool.read(b"x = 1\n", name="a.py").text
    assert not children(pool)


def test_a_child_is_kept_for_the_next_file(pool: ReaderPool) -> None:
    for _ in range(3):
        pool.read(PAGE, name="a.html")
    first = children(pool)
    pool.read(PAGE, name="a.html")
    assert children(pool) == first
    assert len(first) == 1


def test_errors_of_a_child_are_those_of_the_reader(pool: ReaderPool) -> None:
    with pytest.raises(CorruptDocument, match=r"not a readable DOCX file: .* damaged"):
        pool.read(b"PK\x03\x04" + b"x" * 100, name="a.docx")
    with pytest.raises(EncryptedDocument):
        pool.read(pdf([["x"]], user_locked=True), name="a.pdf")


def test_a_file_over_the_time_limit_fails_and_the_next_is_read() -> None:
    pool = ReaderPool(ReadingLimits(seconds=2, seconds_per_mb=0))
    try:
        with pytest.raises(ReadingTooCostly, match=r"2 s of processor time; .* limits -> reading -> seconds"):
            pool.read(ENDLESS, name="a.html")
        assert pool.read(PAGE, name="a.html").title == "Dogs"
    finally:
        pool.close()


def test_a_file_over_the_memory_limit_fails_and_the_next_is_read() -> None:
    pool = ReaderPool(ReadingLimits(seconds=60, memory_mb=256))
    try:
        with pytest.raises(ReadingTooCostly, match=r"256 MB of memory; .* limits -> reading -> memory_mb"):
            pool.read(b"a," * 2_000_000 + b"\n1\n", name="a.csv")
        assert pool.read(PAGE, name="a.html").title == "Dogs"
    finally:
        pool.close()


def test_a_text_longer_than_the_limit_never_reaches_this_process() -> None:
    pool = ReaderPool(ReadingLimits(chars=1000))
    try:
        with pytest.raises(DocumentTooLarge, match="limits -> content_chars"):
            pool.read(b"<p>" + b"a " * 5000, name="a.html")
    finally:
        pool.close()


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.log", "a.py", "a.yaml", "a.md"])
def test_a_text_far_longer_than_the_limit_is_refused_before_it_is_parsed(name: str) -> None:
    text = b"a,lamp = burning # 1\n" * 300_000
    pool = ReaderPool(ReadingLimits(chars=1_000_000, seconds=3, seconds_per_mb=0))
    try:
        with pytest.raises(DocumentTooLarge, match=r"6,300,000 characters is over the limit of 1,000,000"):
            pool.read(text, name=name)
    finally:
        pool.close()


def test_a_text_that_is_long_by_its_blanks_alone_is_read() -> None:
    pool = ReaderPool(ReadingLimits(chars=10_000))
    try:
        program = "lamp = 1\n" + (" " * 200 + "\n") * 200 + "wick = 2\n"
        assert pool.read(program.encode(), name="a.py").text.split() == ["lamp", "=", "1", "wick", "=", "2"]
    finally:
        pool.close()


@pytest.mark.parametrize(
    "hidden",
    [
        "<!--\n\n{words}\n-->",
        "<script>\n\n{words}\n</script>",
        "{{% comment %}}\n\n{words}\n{{% endcomment %}}",
        "```{{toctree}}\n{words}\n```",
        "[quay]: https://example.com/{link}",
        "![a quay](data:image/png;base64,{link})",
    ],
)
def test_markdown_that_is_long_by_what_it_does_not_show_is_read(hidden: str) -> None:
    pool = ReaderPool(ReadingLimits(chars=10_000))
    try:
        text = "# Lamps\n\nTrim the wick.\n\n" + hidden.format(words="lamp wick\n" * 3_000, link="lamp" * 8_000)
        assert pool.read(text.encode(), name="a.md").text.startswith("Lamps\n\nTrim the wick.")
    finally:
        pool.close()


def test_a_child_that_was_killed_between_files_is_replaced(pool: ReaderPool) -> None:
    pool.read(PAGE, name="a.html")
    for pid in children(pool):
        os.kill(pid, signal.SIGKILL)
    assert pool.read(PAGE, name="a.html").title == "Dogs"


def test_a_child_that_is_killed_loses_its_file_only(pool: ReaderPool) -> None:
    with ThreadPoolExecutor(2) as threads:
        lost = threads.submit(pool.read, ENDLESS, name="lost.html")
        victim = busy_child(pool)
        kept = threads.submit(pool.read, PAGE, name="kept.html")
        assert kept.result().title == "Dogs"
        os.kill(victim, signal.SIGKILL)
        with pytest.raises(CorruptDocument, match=r"HTML file: its parser crashed \(SIGKILL\)"):
            lost.result()


@pytest.fixture
def shadowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a module of one's own in the place of the parser of DOCX files, in children."""

    def shadow(source: str) -> None:
        (tmp_path / "mammoth.py").write_text(source)
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    return shadow


def test_an_unexpected_exception_fails_the_file_with_its_cause(
    pool: ReaderPool, shadowed: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    shadowed("raise LookupError('no such shelf')")
    with caplog.at_level("INFO"), pytest.raises(CorruptDocument, match=r"failed \(LookupError\)"):
        pool.read(docx(paragraph("Hello")), name="a.docx")
    assert "no such shelf" in caplog.text
    assert pool.read(PAGE, name="a.html").title == "Dogs"


CRASHES = {"import os; os.abort()": ("SIGABRT", "mammoth.py"), "raise SystemExit('no ink')": ("exit code 1", "no ink")}


@pytest.mark.parametrize("source", CRASHES)
def test_a_crash_is_reported_with_its_cause_and_logged_with_its_last_lines(
    pool: ReaderPool, shadowed: Callable[[str], None], caplog: pytest.LogCaptureFixture, source: str
) -> None:
    cause, trace = CRASHES[source]
    shadowed(source)
    with pytest.raises(CorruptDocument, match=rf"its parser crashed \({cause}\)"):
        pool.read(docx(paragraph("Hello")), name="a.docx")
    assert trace in caplog.text


def test_an_abort_may_be_for_want_of_memory(pool: ReaderPool, shadowed: Callable[[str], None]) -> None:
    shadowed("import os; os.abort()")
    with pytest.raises(CorruptDocument, match=r"split it, or raise limits -> reading -> memory_mb \(\d+\)"):
        pool.read(docx(paragraph("Hello")), name="a.docx")


def test_a_parser_that_writes_much_to_standard_error_is_not_held_up(
    pool: ReaderPool, shadowed: Callable[[str], None]
) -> None:
    shadowed("import sys\nsys.stderr.write('x' * 2**20)\nraise SystemExit('the end')")
    with pytest.raises(CorruptDocument, match="exit code 1"):
        pool.read(docx(paragraph("Hello")), name="a.docx")


def busy_child(pool: ReaderPool) -> int:
    """The child that has begun to read."""
    for _ in range(600):
        for process in list(pool._busy):
            if process.begun:
                return process._program.pid
        time.sleep(0.1)
    raise AssertionError("no child began")


LONG = pdf([[f"Chapter {page // 10}", f"Page {page} is about dogs.", "Beagles howl."] for page in range(240)])


def test_a_long_pdf_is_read_by_two_children_as_by_one(pool: ReaderPool) -> None:
    assert pool.read(LONG, name="a.pdf") == read(LONG, name="a.pdf")
    assert len(children(pool)) == 2


def test_a_long_pdf_waits_for_no_second_child() -> None:
    pool = ReaderPool(ReadingLimits(processes=1))
    try:
        assert pool.read(LONG, name="a.pdf") == read(LONG, name="a.pdf")
        assert len(children(pool)) == 1
    finally:
        pool.close()


def test_a_second_child_that_is_killed_costs_its_file_nothing_but_time(pool: ReaderPool) -> None:
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(pool.read, LONG, name="a.pdf")
        os.kill(max(two_children(pool)), signal.SIGKILL)
        assert reading.result() == read(LONG, name="a.pdf")
    assert pool.read(PAGE, name="a.html").title == "Dogs"


def two_children(pool: ReaderPool) -> list[int]:
    """Both children that read a file; the one that was asked for help is the younger."""
    for _ in range(6000):
        busy = list(pool._busy)
        if len(busy) == 2 and any(process.begun for process in busy):
            return [process._program.pid for process in busy]
        time.sleep(0.005)
    raise AssertionError("no second child was asked")


def test_a_file_that_fails_gives_up_its_second_child(pool: ReaderPool) -> None:
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(pool.read, LONG, name="a.pdf")
        os.kill(min(two_children(pool)), signal.SIGKILL)
        with pytest.raises(CorruptDocument, match=r"its parser crashed \(SIGKILL\)"):
            reading.result()
    for _ in range(600):
        if not pool._busy:
            return
        time.sleep(0.01)
    raise AssertionError("a child still reads for nobody")


def test_closing_gives_up_what_is_read() -> None:
    pool = ReaderPool(ReadingLimits(seconds=60))
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(pool.read, ENDLESS, name="a.html")
        busy_child(pool)
        pool.close()
        with pytest.raises(ReaderStopped):
            reading.result()
    with pytest.raises(ReaderStopped):
        pool.read(PAGE, name="a.html")


def test_many_threads_share_few_children() -> None:
    pool = ReaderPool(ReadingLimits(processes=2))
    try:
        with ThreadPoolExecutor(8) as threads:
            titles = {document.title for document in threads.map(lambda _: pool.read(PAGE, name="a.html"), range(40))}
        assert titles == {"Dogs"}
        assert len(children(pool)) <= 2
    finally:
        pool.close()


class Pages:
    """Text recognition that knows every page, and what was asked of it."""

    name = "a model"

    def __init__(self) -> None:
        self.asked: list[tuple[Kind, tuple[int, ...]]] = []
        self.thread = ""

    def pages_in(self, image: bytes) -> int | UnreadPage:
        raise AssertionError("a PDF knows its pages")

    def read(self, content: bytes, kind: Kind, pages: list[int]) -> dict[int, PageText | UnreadPage]:
        assert content == SCAN
        self.asked.append((kind, tuple(pages)))
        self.thread = threading.current_thread().name
        return {0: PageText("Beagles howl.", 0.9), 1: UnreadPage("it is blank", passing=True)}


def test_pages_without_text_are_recognised_by_this_process(pool: ReaderPool) -> None:
    ocr = Pages()
    document = pool.read(SCAN, name="a.pdf", ocr=ocr)
    assert document.text == "Beagles howl."
    assert document.scan is not None
    assert (document.scan.read, dict(document.scan.unread)) == ((1,), {2: "it is blank"})
    assert document.scan.passing
    assert ocr.asked == [("pdf", (0, 1))]


def test_an_error_of_text_recognition_reaches_the_caller_and_the_next_file_is_read(pool: ReaderPool) -> None:
    class Broken(Pages):
        def read(self, content: bytes, kind: Kind, pages: list[int]) -> dict[int, PageText | UnreadPage]:
            raise ReaderStopped

    with pytest.raises(ReaderStopped):
        pool.read(SCAN, name="a.pdf", ocr=Broken())
    assert pool.read(PAGE, name="a.html").title == "Dogs"


def test_a_child_knows_no_secret_of_its_parent(pool: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    pool.read(PAGE, name="a.html")
    (pid,) = children(pool)
    with open(f"/proc/{pid}/environ", "rb") as environment:
        assert b"very-secret-value" not in environment.read()

"""Pages read by a model that sees, on a server that speaks Ollama's protocol."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator

import pytest
from PIL import Image

from pipelines.errors import OcrUnavailable
from pipelines.reading.ocr.seeing import PROMPT, circle_length, without_marks
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server
from tests.fakes.scans import drawn, file_of, joined
from tests.pipelines.reading.block_checks import assert_blocks_fit
from tests.pipelines.reading.ocr.ocr_cases import pages_of, read_by, seeing
from tests.pipelines.reading.reader_files import pdf

pytestmark = pytest.mark.usefixtures("closed")

SCAN = file_of(drawn(("A line",)), kind="PDF")
OTHER = file_of(drawn(("Another line", "and more")), kind="PDF")
LOOP = "Weight 29.5 kg.\n\n" + "The dog is fine and eats well. " * 400


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


def test_a_page_is_sent_as_an_image_and_the_reply_is_its_text(server: FakeOllama) -> None:
    server.script = lambda asked: "A line.\n\nAnother paragraph.\n"
    document = read_by(seeing(server.url), joined(pdf([["Typed."]]), SCAN))
    assert pages_of(document) == ["Typed.", "A line.\n\nAnother paragraph."]
    assert document.scan is not None
    assert (document.scan.reader, document.scan.read) == ("ollama qwen2.5vl:7b", (2,))
    (asked,) = server.asked
    assert asked.last == PROMPT
    assert (asked.options["temperature"], asked.options["num_predict"]) == (0.0, 4096)
    (image,) = asked.images
    assert Image.open(io.BytesIO(image)).size == pytest.approx((1000, 900), abs=2)


def test_a_model_gets_its_default_or_the_profiles_prompt(server: FakeOllama) -> None:
    server.script = lambda asked: "A line"
    read_by(seeing(server.url, model="deepseek-ocr"), SCAN)
    read_by(seeing(server.url, prompt="Lies, was da steht."), SCAN)
    assert [asked.last for asked in server.asked] == ["Free OCR.", "Lies, was da steht."]


def test_no_more_pages_are_asked_about_at_once_than_the_profile_says(server: FakeOllama) -> None:
    both = threading.Barrier(2, timeout=60)

    def script(asked: Asked) -> str:
        both.wait()
        return "A line"

    server.script = script
    scans = [file_of(drawn((f"Line {number}",)), kind="PDF") for number in range(4)]
    document = read_by(seeing(server.url, concurrency=2, page_timeout_s=90), joined(*scans))
    assert pages_of(document) == ["A line"] * 4
    assert server.most_at_once == 2


def test_a_model_that_repeats_itself_is_stopped(server: FakeOllama) -> None:
    server.script = lambda asked: LOOP
    document = read_by(seeing(server.url), SCAN)
    assert document.text == "Weight 29.5 kg.\n\nThe dog is fine and eats well."
    assert_blocks_fit(document)
    assert document.scan is not None
    assert document.scan.notes == {1: "the model repeated itself and was stopped there"}
    (asked,) = server.asked
    asked.ended.wait()
    assert len(asked.sent) < 2000


def test_text_cut_off_by_the_budget_is_kept_and_noted(server: FakeOllama) -> None:
    server.script = lambda asked: " ".join(f"word{number}" for number in range(500))
    document = read_by(seeing(server.url, max_tokens=64), SCAN)
    assert document.text.startswith("word0 word1")
    assert "word90" not in document.text
    assert document.scan is not None
    assert "max_tokens" in document.scan.notes[1]


@pytest.mark.parametrize("manner", ["missing", "broken-after-3"])
def test_a_server_that_fails_is_for_another_time(server: FakeOllama, manner: str) -> None:
    server.script = lambda asked: Reply("A line of text", manner)
    with pytest.raises(OcrUnavailable, match="next sync or ingestion tries the document again"):
        read_by(seeing(server.url), SCAN)


def test_a_busy_server_is_asked_again(server: FakeOllama) -> None:
    server.script = lambda asked: Reply("A line", "busy-1" if len(server.asked) < 2 else "")
    assert read_by(seeing(server.url), SCAN).text == "A line"


def test_pages_already_read_are_kept_if_others_fail(server: FakeOllama) -> None:
    server.script = lambda asked: "Read" if len(server.asked) < 2 else Reply("", "bad")
    ocr = seeing(server.url)
    document = read_by(ocr, joined(SCAN, OTHER))
    assert document.text == "Read"
    assert document.scan is not None
    assert document.scan.passing
    assert "status 400" in document.scan.unread[2]
    server.script = lambda asked: "Read later"
    assert pages_of(read_by(ocr, joined(SCAN, OTHER))) == ["Read", "Read later"]
    assert len(server.asked) == 3


def test_a_model_that_fails_again_and_again_is_left_alone(server: FakeOllama) -> None:
    server.script = lambda asked: Reply("", "bad")
    scans = [file_of(drawn((f"Line {number}",)), kind="PDF") for number in range(4)]
    with pytest.raises(OcrUnavailable):
        read_by(seeing(server.url), joined(*scans))
    assert len(server.asked) == 3


def test_a_page_over_the_time_limit_fails(server: FakeOllama) -> None:
    def script(asked: Asked) -> Reply:
        return Reply("Slow", "slow") if len(server.asked) == 1 else Reply("Read")

    server.script = script
    document = read_by(seeing(server.url, page_timeout_s=0.5), joined(SCAN, OTHER))
    assert document.scan is not None
    assert list(document.scan.unread) == [1]
    assert not document.scan.passing


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("```markdown\n# Title\n\nText\n```", "# Title\n\nText"),
        ("<|ref|>title<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\nText", "title\nText"),
        ("<|det|>[[1, 2]]\nOne\n<|det|>[[3, 4]]<|/det|>\nTwo", "[[1, 2]]\nOne\n\nTwo"),
        ("[no text]", ""),
        ("Text with `code`", "Text with `code`"),
    ],
)
def test_fences_and_marks_around_the_text_are_removed(said: str, text: str) -> None:
    assert without_marks(said) == text


@pytest.mark.parametrize(
    "said",
    ["\n" * 1200 + "x", "a" * 2399 + "!", "ab" * 1200 + "!", "<|det|>" * 12_000],
    ids=["blank lines", "one letter", "two letters", "marks without an end"],
)
def test_whatever_a_model_says_is_looked_at_in_no_time(said: str) -> None:
    began = time.process_time()
    without_marks(said)
    circle_length(said)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("said", "circles"),
    [
        ("The same line again.\n" * 12, True),
        (f"{'Every word of this line is another one. ' * 7}\n" * 8, True),
        ("Start. " + "on and on " * 40 + "\n\n", True),
        ("________" * 60, False),
        ("The same line again.\n" * 7, False),
        ("The same line again.\n" * 12 + "And an end.", False),
    ],
)
def test_the_same_words_over_and_over_are_a_circle(said: str, *, circles: bool) -> None:
    assert bool(circle_length(said)) is circles

"""Pages of PDFs as pictures: pages of odd sizes, and passages that are hard to find on them."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from pipelines.reading.page_images import PageImages
from tests.pipelines.reading.reader_files import pdf, placed

LINE = "The library opens at nine in the morning."


@pytest.fixture
def images() -> Iterator[PageImages]:
    images = PageImages()
    yield images
    images.close()


def boxed(content: bytes, boxes: str) -> bytes:
    """A PDF with these boxes of its page in the place of the usual one."""
    usual = b"/MediaBox [0 0 612 792]"
    return content.replace(usual, boxes.encode().ljust(len(usual)))


def test_a_page_that_is_cut_to_nothing_is_drawn_whole(images: PageImages) -> None:
    drawn = images.draw(pdf([[placed(72, 720, LINE)]]), 1, LINE)
    cut = images.draw(boxed(pdf([[placed(72, 720, LINE)]]), "/CropBox [800 1 900 9]"), 1, LINE)
    assert Image.open(BytesIO(cut.png)).size == Image.open(BytesIO(drawn.png)).size
    assert cut.marked_at == drawn.marked_at == pytest.approx(0.077, abs=0.01)


@pytest.mark.parametrize("place", [(72, 900), (72, -300), (700, 400), (-700, 400)])
def test_a_passage_outside_of_what_the_page_shows_is_not_marked(images: PageImages, place: tuple[int, int]) -> None:
    assert images.draw(pdf([["Seen", placed(*place, LINE)]]), 1, LINE).marked_at is None


def test_a_passage_of_a_page_full_of_small_print_is_found_in_time(images: PageImages) -> None:
    letters = Random(1)
    lines = [" ".join("".join(letters.choices("etaoinshrdlu", k=6)) for _ in range(90)) for _ in range(200)]
    content = pdf([[placed(10, 780 - 3.8 * at, line, size=1.5) for at, line in enumerate(lines)]])
    quote = "\n".join(line[:-1] + "x" for line in lines[100:110])
    assert images.draw(content, 1, quote).marked_at == pytest.approx(0.49, abs=0.03)

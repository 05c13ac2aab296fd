import io

import pytest
from PIL import Image

from pipelines.components.text_images import can_be_drawn, images_of_text

TEXT = "\n".join(f"Question {number}: How much exercise does a beagle need?" for number in range(200))


@pytest.mark.parametrize("side", [1280, 640, 512])
def test_text_becomes_square_pages_the_latest_of_which_are_kept(side: int) -> None:
    pages = images_of_text(TEXT, side, 2)
    assert [Image.open(io.BytesIO(page)).size for page in pages] == [(side, side)] * 2
    assert images_of_text(TEXT, side, 1) == pages[1:]
    assert len(images_of_text(TEXT, side, 100)) == 5


def test_the_same_text_is_the_same_image_every_time() -> None:
    assert images_of_text(TEXT, 640, 1) == images_of_text(TEXT, 640, 1)


def test_a_page_is_black_on_white_and_not_empty() -> None:
    [page] = images_of_text("Beagles howl.", 1280, 1)
    image = Image.open(io.BytesIO(page))
    darkest, lightest = image.getextrema()
    assert (darkest, lightest) == (0, 255)
    assert image.getbbox() is not None


def test_an_empty_text_gives_no_image() -> None:
    assert images_of_text("", 1280, 2) == ()


def test_letters_that_the_font_lacks_are_drawn_plain_or_not_at_all() -> None:
    plain = images_of_text('Cafe - "ou"?', 1280, 1)
    assert images_of_text("Café – “où”?", 1280, 1) == plain
    assert can_be_drawn("Café – “où”?")
    assert not can_be_drawn("ビーグルはよく吠える。")

"""Images on their way to a vision model."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from pipelines.components.images import MOST_PIXELS, prepared_image
from pipelines.errors import ImageTooLarge, InvalidImage

MOST_BYTES = 1_000_000


def file(image: Image.Image, kind: str, **options: Any) -> bytes:
    written = BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def prepared(raw: bytes) -> Image.Image:
    image = Image.open(BytesIO(prepared_image(raw, MOST_BYTES)))
    image.load()
    assert (image.format, image.mode) == ("JPEG", "RGB")
    return image


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_every_usual_format_becomes_a_jpeg(kind: str) -> None:
    assert prepared(file(Image.new("RGB", (80, 60), "red"), kind)).size == (80, 60)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_kind_of_pixels_is_taken(mode: str) -> None:
    assert prepared(file(Image.new(mode, (80, 60)), "PNG")).size == (80, 60)


def test_65536_shades_of_grey_are_scaled_to_256() -> None:
    shades = Image.frombytes("I;16", (200, 100), (b"\x00\x20" * 100 + b"\x00\x80" * 100) * 100)
    seen = prepared(file(shades, "PNG"))
    assert [round(seen.getpixel((x, 50))[0] / 32) for x in (20, 180)] == [1, 4]


def test_transparent_images_get_a_white_background() -> None:
    clear = Image.new("RGBA", (80, 60), (0, 0, 0, 0))
    assert prepared(file(clear, "PNG")).getpixel((5, 5)) == (255, 255, 255)


def test_a_photograph_is_turned_as_its_camera_was_held_and_says_nothing_of_where() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif.get_ifd(0x8825)[1] = "N"
    image = prepared(file(Image.new("RGB", (80, 60)), "JPEG", exif=exif))
    assert image.size == (60, 80)
    assert dict(image.getexif()) == {}


def test_large_images_are_made_smaller_and_tiny_ones_stand_on_a_sheet() -> None:
    assert prepared(file(Image.new("RGB", (4000, 2000)), "JPEG")).size == (1536, 768)
    assert prepared(file(Image.new("RGB", (1, 1)), "PNG")).size == (56, 56)


def test_of_a_moving_image_the_first_picture_is_seen() -> None:
    frames = [Image.new("RGB", (80, 60), colour) for colour in ("red", "blue")]
    red, _, blue = prepared(file(frames[0], "GIF", save_all=True, append_images=frames[1:])).getpixel((5, 5))  # type: ignore[misc]
    assert red > 200 > blue


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no image",
        b"%PDF-1.7",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"\xff\xd8\xff\xe0" + bytes(100),
        file(Image.new("RGB", (300, 300), "red"), "PNG")[:200],
        file(Image.new("RGB", (300, 300), "red"), "TIFF"),
    ],
)
def test_an_invalid_image_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidImage, match="not an image that can be read"):
        prepared_image(raw, MOST_BYTES)


def test_too_many_bytes_are_refused() -> None:
    with pytest.raises(ImageTooLarge, match="over the limit of 10 bytes"):
        prepared_image(bytes(11), 10)


@pytest.mark.parametrize("size", [(10_000, 5_001), (10_000, 10_000), (60_000, 60_000)])
def test_too_many_pixels_are_refused_without_decoding_them(size: tuple[int, int]) -> None:
    header = file(Image.new("1", (1, 1)), "BMP")
    claimed = header[:18] + size[0].to_bytes(4, "little") + size[1].to_bytes(4, "little") + header[26:]
    with pytest.raises(ImageTooLarge, match=f"{MOST_PIXELS:,} pixels"):
        prepared_image(claimed, MOST_BYTES)

"""Images inside JSON."""

from __future__ import annotations

import base64

import pytest

from app.http.data_urls import image_bytes
from pipelines.errors import ImageTooLarge, InvalidImage

RAW = bytes(range(256))
CODED = base64.b64encode(RAW).decode()


@pytest.mark.parametrize(
    "text",
    [
        CODED,
        f"data:image/jpeg;base64,{CODED}",
        f"DATA:image/jpeg;charset=x;BASE64,{CODED}",
        f"data:;base64,{CODED}",
        base64.encodebytes(RAW).decode(),
    ],
)
def test_base64_is_read_with_its_scheme_and_without(text: str) -> None:
    assert image_bytes(text, 256) == RAW


def test_a_slightly_large_url_is_decoded_and_a_larger_one_refused_undecoded() -> None:
    with pytest.raises(ImageTooLarge, match="over the limit of 200 bytes"):
        image_bytes(CODED, 200)


@pytest.mark.parametrize("text", ["data:image/png", "data:image/png,%89PNG", "AAA", "AAA=AAAA", "dog.jpg", "Žž=="])
def test_invalid_base64_is_refused(text: str) -> None:
    with pytest.raises(InvalidImage, match="base64"):
        image_bytes(text, 256)

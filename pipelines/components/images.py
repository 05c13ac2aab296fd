"""Images as vision models take them: checked, upright, of a size that they see, and without what cameras write in."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from pipelines.errors import ImageTooLarge, InvalidImage

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 50_000_000
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
_LONGEST_SIDE = 1536  # models scale what is larger down, or spend a token on every patch of it
_SHORTEST_SIDE = 56  # two patches of the widest kind; servers fail over images of less
_QUALITY = 90
_SHADES_IN_ONE = 256  # of 16 bits in one of 8


def prepared_image(raw: bytes, most_bytes: int) -> bytes:
    """Return an image of any usual format as a JPEG, on white where it is transparent; of a moving one the first
    picture.

    Raises:
        InvalidImage: It is no image, or a damaged one.
        ImageTooLarge: It is over ``most_bytes`` or over `MOST_PIXELS`.
    """
    from PIL import Image

    if len(raw) > most_bytes:
        raise ImageTooLarge(most_bytes, "bytes")
    try:
        with Image.open(BytesIO(raw), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise ImageTooLarge(MOST_PIXELS, "pixels")
            return _jpeg(image)
    except ImageTooLarge:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ImageTooLarge(MOST_PIXELS, "pixels") from None
    except Exception as error:
        raise InvalidImage(f"is not an image that can be read; send one of {', '.join(_FORMATS)}") from error


def with_colours(image: Image.Image) -> Image.Image:
    """Return an image as RGBA. One of 65,536 shades of grey is scaled; Pillow would make all but the darkest white."""
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda shade: shade / _SHADES_IN_ONE).convert("L")
    return image.convert("RGBA")


def _jpeg(image: Image.Image) -> bytes:
    from PIL import Image, ImageOps

    image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))  # first: large JPEGs are decoded at a smaller scale at once
    seen = ImageOps.exif_transpose(image)
    colours = with_colours(seen)
    canvas = Image.new("RGB", (max(seen.width, _SHORTEST_SIDE), max(seen.height, _SHORTEST_SIDE)), "white")
    canvas.paste(colours, mask=colours)
    written = BytesIO()
    canvas.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()

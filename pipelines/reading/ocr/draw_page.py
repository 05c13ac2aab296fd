"""A program that draws one page of a PDF, or one picture of an image file, as a PNG in shades of grey.

It runs apart, because what it is given may be hostile: a page that asks for all memory, or that takes for ever to draw,
ends this program and nothing else. Run by its path, it imports nothing of Footnote. Its one argument is JSON::

    {"file", "kind": "pdf" | "image", "page": from 0, "dpi", "pixels", "side", "memory", "seconds"}

The PNG goes to standard output; without ``page``, the number of pages does. It ends with `BLANK` where the page shows
nothing, and with `REFUSED` and the reason on standard error where it cannot be drawn.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO
from itertools import pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

BLANK, REFUSED = 3, 4
_MOST_SOURCE_PIXELS = 250_000_000
"""Of pictures before they are drawn: a sheet of A2 at 600 dots per inch has 139 million."""
_FORMATS = ("PNG", "JPEG", "TIFF")
_BITS_OF_A_SAMPLE = 258
"""The tag of a TIFF."""
_FEWEST_BITS = 8
_INCHES = 72  # PDF's points in one
_GUESSED_DPI = 96
_SMALL = 1500  # pixels on the longer side, below which an image is a screenshot and no scan
_LARGEST_SCALE = 3.0
_CONTRAST = 48  # shades of grey that ink differs from its paper by
_SPECKS = 0.0005  # square inches of ink on a page that counts as blank
_STEEPEST = 12  # degrees that a page is set straight by
_STRAIGHT = 0.7
_GAIN = 1.1
_LOOK = 500  # pixels on the longer side, to tell the slant


class DrawingRefused(Exception):
    """The page cannot be drawn; the message says why."""


def main() -> int:
    """Draw what the argument names; return the exit code."""
    asked = json.loads(sys.argv[1])
    _bound(asked["memory"], asked["seconds"])
    try:
        if asked.get("page") is None:
            answer: bytes | None = str(_pages(asked)).encode()
        else:
            answer = _drawn(asked)
    except DrawingRefused as refused:
        sys.stderr.write(str(refused))
        return REFUSED
    except MemoryError:
        sys.stderr.write("it takes more memory than a page may")
        return REFUSED
    if answer is None:
        return BLANK
    sys.stdout.buffer.write(answer)
    return 0


def _bound(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # not a Unix; the time is kept by who runs this
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _pages(asked: dict[str, Any]) -> int:
    """Return the number of pictures in an image file; only a TIFF has pages."""
    with _opened(asked) as image:
        return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def _drawn(asked: dict[str, Any]) -> bytes | None:
    page, dpi = _of_pdf(asked) if asked["kind"] == "pdf" else _of_image(asked)
    if _is_blank(page, dpi):
        return None
    written = BytesIO()
    _straightened(page).save(written, "PNG", compress_level=1, dpi=(dpi, dpi))
    return written.getvalue()


def _of_pdf(asked: dict[str, Any]) -> tuple[Image.Image, float]:
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        page = PdfDocument(asked["file"])[asked["page"]]
        if 0 in page.get_size():  # its crop box lies beside the page: it is shown as if it had none
            page.set_cropbox(*page.get_mediabox())
        width, height = page.get_size()
        _require_sane(page)
        scale = _scale(width, height, asked["dpi"] / _INCHES, asked)
        picture = page.render(scale=scale, grayscale=True).to_pil().convert("L")
    except PdfiumError as error:
        raise DrawingRefused(f"it is damaged ({error})") from error
    return picture, scale * _INCHES


def _require_sane(page: Any) -> None:
    """Refuse a page whose pictures are far larger than any scan, before they are unpacked."""
    from pypdfium2 import raw

    for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]):
        _require_few(*picture.get_px_size())


def _require_few(width: int, height: int) -> None:
    if width * height > _MOST_SOURCE_PIXELS:
        raise DrawingRefused(f"its picture of {width:,} by {height:,} pixels is too large")


def _scale(width: float, height: float, wanted: float, asked: dict[str, Any]) -> float:
    """Return how much larger to draw: as wanted, or as much as keeps within the pixels, and each side within its
    own.
    """
    if not (width > 0 and height > 0):
        raise DrawingRefused("it has no size")
    most = min(sqrt(asked["pixels"] / (width * height)), asked["side"] / max(width, height))
    return float(min(wanted, most))


def _of_image(asked: dict[str, Any]) -> tuple[Image.Image, float]:
    from PIL import Image, ImageOps

    with _opened(asked) as image:
        try:
            image.seek(asked["page"])
            _require_few(image.width, image.height)
            dpi = _dpi_of(image)
            upright = _grey(ImageOps.exif_transpose(image), _shades(image))
        except (OSError, EOFError, SyntaxError, ValueError) as error:
            raise DrawingRefused("it is damaged, or its kind of packing is not known") from error
    scale = _scale(upright.width, upright.height, _magnification(upright, dpi, asked["dpi"]), asked)
    size = (max(ceil(upright.width * scale), 1), max(ceil(upright.height * scale), 1))
    if size != upright.size:
        upright = upright.resize(size, Image.Resampling.LANCZOS)
    return upright, (dpi or asked["dpi"]) * scale


def _opened(asked: dict[str, Any]) -> Image.Image:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # this bounds them itself
    try:
        image = Image.open(asked["file"], formats=_FORMATS)
    except Exception as error:
        raise DrawingRefused("it is not an image that can be read") from error
    _require_few(image.width, image.height)
    return image


def _dpi_of(image: Image.Image) -> float | None:
    """Return the dots per inch that the image says it has, or that one so small must have; None if unknown."""
    dpi = float(image.info.get("dpi", (0, 0))[0])
    if _INCHES < dpi <= 2400:
        return dpi
    return _GUESSED_DPI if max(image.size) < _SMALL else None


def _magnification(image: Image.Image, dpi: float | None, wanted: float) -> float:
    return 1.0 if dpi is None else min(max(wanted / dpi, 1.0), _LARGEST_SCALE)


def _shades(image: Image.Image) -> int:
    """Return how many shades an image of more than 256 has: a TIFF says with how many bits it writes them."""
    bits = getattr(image, "tag_v2", {}).get(_BITS_OF_A_SAMPLE, (16,))
    return 2 ** int(bits[0]) if _FEWEST_BITS < bits[0] < 16 else 2**16


def _grey(image: Image.Image, shades: int) -> Image.Image:
    """Return the image in 256 shades of grey, on white where it is transparent."""
    from PIL import Image

    if image.mode.startswith("I"):
        return image.convert("I").point(lambda shade: shade * 256 / shades).convert("L")
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        colours = image.convert("RGBA")
        canvas = Image.new("RGBA", colours.size, "white")
        canvas.alpha_composite(colours)
        image = canvas
    return image.convert("L")


def _is_blank(page: Image.Image, dpi: float) -> bool:
    shades = page.histogram()
    paper = max(range(256), key=shades.__getitem__)
    ink = sum(count for shade, count in enumerate(shades) if abs(shade - paper) > _CONTRAST)
    return ink <= _SPECKS * dpi * dpi


def _straightened(page: Image.Image) -> Image.Image:
    """Return the page with its lines level: a slant of a few degrees is what tesseract loses words by."""
    from PIL import Image

    slant = _slant(page)
    if abs(slant) < _STRAIGHT:
        return page
    shades = page.histogram()
    paper = max(range(256), key=shades.__getitem__)
    return page.rotate(slant, Image.Resampling.BICUBIC, expand=True, fillcolor=paper)


def _slant(page: Image.Image) -> float:
    """Return the degrees by which lines of text are level: there the sums of rows, or of columns, differ most."""
    look = page.copy()
    look.thumbnail((_LOOK, _LOOK))
    shades = look.histogram()
    paper = max(range(256), key=shades.__getitem__)
    scores = {float(angle): _sharpness(look, angle, paper) for angle in range(-_STEEPEST, _STEEPEST + 1)}
    coarse = max(scores, key=scores.__getitem__)
    for step in range(-3, 4):
        angle = coarse + step / 4
        scores.setdefault(angle, _sharpness(look, angle, paper))
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > _GAIN * scores[0.0] else 0.0


def _sharpness(look: Image.Image, angle: float, paper: int) -> float:
    from PIL import Image

    turned = look.rotate(angle, Image.Resampling.BILINEAR, fillcolor=paper)
    rows = turned.resize((1, turned.height), Image.Resampling.BOX).tobytes()
    columns = turned.resize((turned.width, 1), Image.Resampling.BOX).tobytes()
    return max(_steps(rows), _steps(columns))


def _steps(sums: bytes) -> float:
    return sum((below - above) ** 2 for above, below in pairwise(sums)) / len(sums)


if __name__ == "__main__":
    sys.exit(main())

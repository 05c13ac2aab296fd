"""Scans in more than 256 shades of grey are drawn as dark and as bright as they are."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from pipelines.reading.ocr import draw_page

WIDTH, HEIGHT = 200, 100
ASKED = {"kind": "image", "page": 0, "dpi": 300, "pixels": 10**7, "side": 5000, "memory": 2**31, "seconds": 20}


def scan(bits: int) -> bytes:
    """A TIFF of a black box on white paper, in shades of 12 or 16 bits."""
    white = 2**bits - 1
    rows = [[0 if 40 <= x < 160 and 20 <= y < 80 else white for x in range(WIDTH)] for y in range(HEIGHT)]
    shades = [shade for row in rows for shade in row]
    if bits == 16:
        data = struct.pack(f"<{len(shades)}H", *shades)
    else:
        pairs = zip(shades[::2], shades[1::2], strict=True)
        data = b"".join((first << 12 | second).to_bytes(3, "big") for first, second in pairs)
    size = len(data)
    values = {256: WIDTH, 257: HEIGHT, 258: bits, 259: 1, 262: 1, 273: 8, 277: 1, 278: HEIGHT, 279: size}
    tags = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in values.items())
    return b"II" + struct.pack("<HI", 42, 8 + size) + data + struct.pack("<H", len(values)) + tags + bytes(4)


@pytest.mark.parametrize("bits", [12, 16])
def test_black_stays_black_and_white_stays_white(tmp_path: Path, bits: int) -> None:
    file = tmp_path / "scan.tif"
    file.write_bytes(scan(bits))
    command = [sys.executable, str(draw_page.__file__), json.dumps({**ASKED, "file": str(file)})]
    drawn = subprocess.run(command, capture_output=True, check=False)
    assert drawn.returncode == 0, drawn.stderr
    with Image.open(io.BytesIO(drawn.stdout)) as page:
        assert (page.getpixel((0, 0)), page.getpixel((page.width // 2, page.height // 2))) == (255, 0)

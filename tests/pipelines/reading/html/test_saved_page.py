"""Web pages that a browser saved as one file."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read

PAGE = """\
From: <Saved by Blink>
Snapshot-Content-Location: https://example.com/pier
Subject: The pier
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="----part----"

------part----
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.com/pier

<html><head><title>The pier</title></head><body><nav>Home</nav><main><h1>The pier</h1>
<p>Boats leave from the p=C3=ADer every =
hour.</p><ul><li>north</li><li>south</li></ul></main></body></html>
------part----
Content-Type: text/html
Content-Location: cid:frame@mhtml.blink

<p>An advertisement.</p>
------part----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://example.com/pier.png

iVBORw0KGgo=
------part------
"""


@pytest.mark.parametrize("name", ["pier.mhtml", "pier.mht"])
def test_the_page_is_read_without_what_is_around_it(name: str) -> None:
    parsed = read(PAGE.encode(), name=name)
    assert parsed.text == "The pier\n\nBoats leave from the píer every hour.\n\n- north\n- south"
    assert parsed.title == "The pier"
    assert parsed.metadata["address"] == "https://example.com/pier"
    assert [block.kind for block in parsed.blocks] == ["heading", "paragraph", "item", "item"]


def test_a_page_in_another_encoding_is_read() -> None:
    content = PAGE.replace("charset=utf-8", "charset=windows-1252").replace("=C3=AD", "=ED")
    assert "píer" in read(content.encode(), name="a.mht").text


def test_line_ends_of_windows_are_read() -> None:
    assert "every hour." in read(PAGE.replace("\n", "\r\n").encode(), name="a.mht").text


@pytest.mark.parametrize("start", ["<frame@mhtml.blink>", "frame@mhtml.blink"])
def test_the_page_may_be_named_and_stand_behind_its_frames(start: str) -> None:
    content = PAGE.replace("boundary=", f'start="{start}"; boundary=')
    content = content.replace("Location: cid:frame@mhtml.blink", "ID: <frame@mhtml.blink>")
    assert read(content.encode(), name="a.mht").text == "An advertisement."
    assert read(content.replace(start, "none", 1).encode(), name="a.mht").title == "The pier"


def test_a_byte_order_mark_or_empty_lines_before_the_headers_cost_no_page() -> None:
    assert read(PAGE.encode("utf-8-sig"), name="a.mht").title == "The pier"
    assert read(f"\r\n\n{PAGE}".encode(), name="a.mht").title == "The pier"


def test_a_file_without_a_page_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="holds no page; save it again"):
        read(b"From: a\nContent-Type: text/plain\n\nHello.\n", name="a.mhtml")

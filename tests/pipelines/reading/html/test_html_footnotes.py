"""Footnotes of pages and Word documents: short ones stand where they are referred to."""

from __future__ import annotations

import time

import pytest

from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.html.html_pages import html_page

RULE = "<p>The warranty is 24 months{}.</p>"
PANDOC = '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>'
WORD = '<sup><a href="#footnote-2" id="footnote-ref-2">[1]</a></sup>'
WIKI = '<sup id="back"><a href="#note">*</a></sup>'


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        (PANDOC, '<section class="footnotes"><ol><li id="fn1"><p>{}<a href="#fnref1">↩︎</a></p></li></ol></section>'),
        (WORD, '<ol><li id="footnote-2"><p> {} <a href="#footnote-ref-2">↑</a></p></li></ol>'),
        (WIKI, '<p id="note"><a href="#back"><sup>*</sup></a> {}</p>'),
    ],
)
def test_a_short_note_stands_in_parentheses_at_its_reference(mark: str, note: str) -> None:
    page = html_page(RULE.format(mark) + note.format("Twelve for the <em>battery</em>."))
    assert page.text == "The warranty is 24 months (Twelve for the battery)."


@pytest.mark.parametrize(
    "body",
    [
        '<p>X<a href="#n" id="r"><sup>1</sup></a>.</p><p id="n">Not linked back.</p>',
        f'<p>X<a href="#n" id="r"><sup>1</sup></a>.</p><p id="n">{"long " * 31}<a href="#r">^</a></p>',
        '<p>X<a href="#n" id="r"><sup>1</sup></a>.</p><div id="n"><p>Two.</p><p>Parts.<a href="#r">^</a></p></div>',
        '<p>X<sup id="cite_r"><a href="#cite_n">1</a></sup>.</p><p id="cite_n"><a href="#cite_r">^</a> Ed.</p>',
        '<h2>X<a href="#n" id="r"><sup>1</sup></a></h2><p id="n">Of a title.<a href="#r">^</a></p>',
        '<p>X<a href="#n" id="r">see the third part</a>.</p><p id="n">A part. <a href="#r">Back</a></p>',
    ],
)
def test_other_notes_stay_where_they_are(body: str) -> None:
    assert "(" not in html_page(body).text
    assert len(shown_blocks(html_page(body))) > 1


def test_a_list_keeps_the_notes_that_stay() -> None:
    long = "word " * 31
    notes = f'<li id="a">Short. <a href="#ra">^</a></li><li id="b">{long}<a href="#rb">^</a></li>'
    page = html_page(
        f'<p>X<sup><a href="#a" id="ra">1</a></sup> y<sup><a href="#b" id="rb">2</a></sup></p><ol>{notes}</ol>'
    )
    assert page.text.startswith("X (Short) y")
    assert page.text.count("word") == 31


def test_many_notes_are_placed_in_the_time_of_their_number() -> None:
    marks = "".join(f'<p>x<sup><a href="#n{n}" id="r{n}">{n}</a></sup></p>' for n in range(3000))
    notes = "".join(f'<li id="n{n}">Short. <a href="#r{n}">^</a></li>' for n in range(3000))
    start = time.process_time()
    assert html_page(f"{marks}<ol>{notes}</ol>").text.count("(Short)") == 3000
    assert time.process_time() - start < 20

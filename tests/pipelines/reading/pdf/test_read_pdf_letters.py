"""PDF: the letters of words, as programs write them in ways of their own."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.reading.pdf.glyphs import _MONO
from tests.pipelines.reading.pdf.mapped_pdf import mapped_pdf
from tests.pipelines.reading.reader_files import pdf, placed

ASCII = {chr(code): chr(code) for code in range(32, 127)}


def text_of(*drawn: str, codes: dict[str, str] | None = None) -> str:
    """What a page of these lines says; ``codes`` has what letters are written as."""
    kept = {letter: code for letter, code in ASCII.items() if code not in (codes or {}).values()}
    return read(mapped_pdf(drawn, 550, kept | (codes or {})), name="a.pdf").text


def line(y: float, text: str) -> str:
    return f"BT /F1 12 Tf 60 {y:g} Td ({text}) Tj ET"


def test_a_letter_beyond_the_basic_plane_is_one_character() -> None:
    assert text_of(line(700, "Let ~ be a field of numbers."), codes={"𝔽": "~"}) == "Let 𝔽 be a field of numbers."


def test_a_word_broken_by_a_typographic_hyphen_is_whole() -> None:
    lines = (line(700, "The marsh was planted for the restora~"), line(686, "tion of the whole estuary and its birds."))
    expected = "The marsh was planted for the restoration of the whole estuary and its birds."
    assert text_of(*lines, codes={"\u2010": "~"}) == expected


def test_a_typographic_hyphen_inside_of_a_word_is_the_usual_one() -> None:
    assert text_of(line(700, "a twenty~year lease"), codes={"\u2011": "~"}) == "a twenty-year lease"


@pytest.mark.parametrize("step", [6.6, 6.7])
def test_letters_that_are_drawn_one_by_one_are_words_on_a_page_with_little_text(step: float) -> None:
    drawn = [
        f"BT /F1 12 Tf {x + step * at:g} {y} Td ({letter}) Tj ET"
        for x in (72, 240, 408)
        for y, words in ((709, f"Pier {x}"), (695, "harbours"))
        for at, letter in enumerate(words)
    ]
    assert text_of(*drawn) == "Pier 72 | Pier 240 | Pier 408\nharbours | harbours | harbours"


def test_dots_that_lead_on_are_left_out_where_their_text_is_given_apart() -> None:
    """Some programs say in a span what its glyphs stand for."""
    dots = b"/Span << /ActualText (Ferry . . . . . . . . . .) >> BDC "
    first = dots + placed(72, 700, "Ferry . . . . . . . . . .") + b" EMC"
    rows = [(placed(72, 686 - 14 * at, name), str(at + 3)) for at, name in enumerate(("Train", "Coach", "Tram"))]
    figures = [placed(300, 700 - 14 * at, figure) for at, figure in enumerate(("2", *(each for _, each in rows)))]
    shown = read(pdf([[first, *(each for each, _ in rows), *figures]]), name="a.pdf").text
    assert "Ferry | 2" in shown


@pytest.mark.parametrize(
    "font", ["Courier", "ABCDEF+DejaVuSansMono", "t1xtt", "t1xbtt-Slant_167", "CMTT10", "NimbusMonL-Regu", "LMMono10",
             "SFTT1000", "FiraCode-Regular", "SourceCodePro-Light", "Inconsolata", "Consolas-Bold", "Hack"]
)  # fmt: skip
def test_a_font_of_one_width_is_known_by_its_name(font: str) -> None:
    assert _MONO.search(font)


@pytest.mark.parametrize(
    "font",
    [
        "Helvetica",
        "Futura",
        "Gotham",
        "Bitter-Regular",
        "Garamond",
        "CMR10",
        "MonotypeCorsiva",
        "TeXGyreTermes",
        "Hackney",
    ],
)
def test_other_fonts_are_none_of_one_width(font: str) -> None:
    assert not _MONO.search(font)


def test_the_opening_quote_of_fonts_of_tex_is_a_quote() -> None:
    assert text_of(line(700, "the ~mooring' of boats"), codes={"\u0300": "~"}) == "the \u2018mooring' of boats"


def test_dots_before_their_letter_are_above_it() -> None:
    assert text_of(line(700, "Herr M~uller of K~oln"), codes={"\u00a8": "~"}) == "Herr Müller of Köln"

"""PDFs in scripts that are read from right to left: their words are whole, and in the order of reading."""

from __future__ import annotations

import re

import pytest

from pipelines.reading import read
from tests.pipelines.reading.pdf.mapped_pdf import mapped_pdf

LETTERS = "אבגדהוזחטיךכלםמןנסעףפץצקרשת"
CODES = {letter: chr(code) for code, letter in enumerate(LETTERS, start=ord("A"))} | {
    letter: letter for letter in " -.0123456789abcdefghijklmnopqrstuvwxyz"
}
LINES = (
    "ההסתדרות הכללית החדשה נוסדה בירושלים",
    "מחיר המינוי הוא 125 שקלים בשנת 2020",
    "הקובץ נשמר בתוך open source code של הפרויקט",
)


@pytest.mark.parametrize("width", [300, 550, 900])
def test_words_are_whole_however_wide_their_letters_are(width: int) -> None:
    drawn = [f"BT /F1 12 Tf 60 {700 - 20 * at} Td ({as_seen(line)}) Tj ET" for at, line in enumerate(LINES)]
    assert read(mapped_pdf(drawn, width, CODES), name="a.pdf").text.split() == " ".join(LINES).split()


def test_words_of_a_text_object_for_each_letter_are_whole() -> None:
    seen = as_seen(LINES[0])
    drawn = [f"BT /F1 12 Tf {60 + 10.2 * at:g} 700 Td ({each}) Tj ET" for at, each in enumerate(seen) if each != " "]
    assert read(mapped_pdf(drawn, 850, CODES), name="a.pdf").text == LINES[0]


def test_a_phrase_from_right_to_left_keeps_its_order_in_a_latin_line() -> None:
    line = "they call it קוד פתוח and publish it for everybody"
    seen = line.replace("קוד פתוח", "קוד פתוח"[::-1])
    drawn = f"BT /F1 12 Tf 60 700 Td ({''.join(CODES[letter] for letter in seen)}) Tj ET"
    assert read(mapped_pdf([drawn], 550, CODES), name="a.pdf").text == line


def test_the_letters_of_an_arabic_ligature_keep_their_order() -> None:
    codes = {"م": "A", "س": "B", "لا": "C", "إ": "D", "ل": "E", "الله": "F", "ا": "G", " ": " "}
    seen = ("ا", "ل", "إ", "س", "لا", "م", " ", "الله", " ", "ا", "ل", "م")
    drawn = f"BT /F1 12 Tf 60 700 Td ({''.join(codes[letters] for letters in reversed(seen))}) Tj ET"
    assert read(mapped_pdf([drawn], 700, codes), name="a.pdf").text == "".join(seen)


def as_seen(line: str) -> str:
    """The codes of a line from left to right; figures and Latin words keep their direction."""
    turned = re.sub(r"[a-z][a-z ]*[a-z]|\d+", lambda found: found[0][::-1], line)[::-1]
    return "".join(CODES[letter] for letter in turned)

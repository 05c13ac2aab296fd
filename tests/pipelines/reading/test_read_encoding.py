"""From bytes to characters: nothing is guessed lightly, and nothing is replaced."""

from __future__ import annotations

import codecs
import time

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from pipelines.reading.encoding import decode

FRENCH = "L'été dernier, les élèves étaient à l'école. Ça va très bien, où êtes-vous allés ?"
RUSSIAN = "Сотрудники должны заранее просить отпуск. Руководитель принимает решение в течение недели."
JAPANESE = "従業員は事前に休暇を申請しなければなりません。上司は一週間以内に決定します。"
CZECH = "Zaměstnanci musí požádat o dovolenou předem. Příliš žluťoučký kůň úpěl ďábelské ódy."


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, codec: str) -> None:
    assert read(mark + FRENCH.encode(codec), name="a.txt").text == FRENCH


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (FRENCH, "cp1252"),
        ("name,city\nJosé,Málaga\n", "cp1252"),
        ("The “policy” — applies to all, who’d better read it; the fee is £5.", "cp1252"),
        (CZECH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        ("员工必须提前申请休假。经理在一周内作出决定。", "gb18030"),
        ("직원은 미리 휴가를 신청해야 합니다.", "euc_kr"),
        ("Οι εργαζόμενοι πρέπει να ζητούν άδεια εκ των προτέρων.", "cp1253"),
        ("העובדים חייבים לבקש חופשה מראש. המנהל מחליט תוך שבוע אחד.", "cp1255"),
    ],
)
def test_old_encodings_are_recognised_from_the_text(text: str, codec: str) -> None:
    assert read(text.encode(codec), name="a.txt").text == text


def test_a_declared_charset_is_believed_where_the_bytes_are_not_utf_8() -> None:
    hungarian = "Egyszerű gyűjtő"
    assert read(hungarian.encode("cp1250"), media_type="text/plain; charset=windows-1250").text == hungarian
    assert read(hungarian.encode(), media_type="text/plain; charset=windows-1250").text == hungarian


def test_a_charset_of_escape_sequences_is_read_when_declared() -> None:
    assert read(JAPANESE.encode("iso-2022-jp"), media_type="text/plain; charset=iso-2022-jp").text == JAPANESE


def test_utf_8_with_a_broken_byte_is_refused_and_the_place_named() -> None:
    with pytest.raises(CorruptDocument, match=r"line 2.*save it as UTF-8"):
        read(f"{FRENCH}\n{FRENCH}".encode()[:-1] + b"\xff", name="a.md")


def test_bytes_of_no_plausible_encoding_are_refused() -> None:
    noise = bytes(32 + (i * i * 7919) % 224 for i in range(500))
    with pytest.raises(CorruptDocument, match="UTF-8"):
        read(noise, name="a.txt")


def test_nul_bytes_are_refused() -> None:
    with pytest.raises(CorruptDocument, match="NUL"):
        read("no mark".encode("utf-16-le"), name="a.txt")


def test_control_characters_make_a_file_binary() -> None:
    with pytest.raises(CorruptDocument, match="binary"):
        read(b"\x01\x02\x03 text \x04\x05", name="a.txt")


@pytest.mark.parametrize(
    ("struck", "shown"),
    [
        ("N\bNA\bAM\bME\bE", "NAME"),
        ("N\bN\bN\bNA\bA\bA", "NA"),
        ("in _\bg_\ba_\br_\bd_\be_\bn", "in garden"),
        ("g\b_a\b_te", "gate"),
        ("_\bg\bg_\ba\bat", "gat"),
        ("_\b__\bx_\b_", "_x_"),
        ("+\bo one pot", "• one pot"),
        ("é\bét\bté\bé", "été"),
    ],
)
def test_letters_printed_over_one_another_are_read_once(struck: str, shown: str) -> None:
    assert read(struck.encode(), name="a.txt").text == shown
    assert read(struck, name="a.txt").text == shown


def test_a_backspace_that_strikes_another_letter_is_binary() -> None:
    with pytest.raises(CorruptDocument, match="binary"):
        read(b"a\bb c\bd and e\bf", name="a.txt")


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape", "raw-unicode-escape"])
def test_a_charset_that_only_python_knows_is_passed_over(charset: str) -> None:
    text = "\x1ba-" + "b9a" * 200_000 + r" \u0041"
    began = time.process_time()
    assert decode(text.encode(), "text", charset) == text
    assert time.process_time() - began < 10

"""RTF: the structure that its control words tell, and files made to harm."""

from __future__ import annotations

from contextlib import suppress

import pytest

from pipelines.errors import CorruptDocument, UnreadableDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Cyr;}}"
    r"{\stylesheet{\s1 heading 1;}{\s5 Normal;}}{\info{\title Travel rules}{\author Ann}{\operator Bob}}"
)


def rtf(body: str) -> bytes:
    return f"{HEAD}{body}}}".encode("latin-1")


def test_headings_paragraphs_and_properties() -> None:
    document = read(
        rtf(r"\pard\s1 Travel\par\pard\outlinelevel1 Before\par\pard\s5 Pack \b light\b0 .\par Go."), name="a.rtf"
    )
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Travel"),
        ("heading", 2, "Before"),
        ("paragraph", 0, "Pack light."),
        ("paragraph", 0, "Go."),
    ]
    assert document.title == "Travel rules"
    assert document.metadata == {"author": "Ann"}


def test_marks_typed_before_paragraphs_make_a_list() -> None:
    document = read(
        rtf(r"Before each crossing\par 1. Ropes and lamps\par 2. Gauges\par 2025 was calm.\par"), name="a.rtf"
    )
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("paragraph", 0, "Before each crossing"),
        ("item", 1, "1. Ropes and lamps"),
        ("item", 1, "2. Gauges"),
        ("paragraph", 0, "2025 was calm."),
    ]


def test_lists_tables_and_footnotes() -> None:
    body = (
        r"You need{\footnote Only abroad.}:\par{\listtext\'b7\tab}a passport\par{\listtext 2.\tab}\ilvl1 a visa\par"
        r"\pard \trowd\intbl City\cell Fare\cell\row\intbl Rome\cell 100\cell\row\pard End"
    )
    document = read(rtf(body), name="a.rtf")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("paragraph", 0, "You need:"),
        ("note", 1, "Note: Only abroad."),
        ("item", 1, "- a passport"),
        ("item", 2, "  2. a visa"),
        ("header", 1, "City | Fare"),
        ("row", 1, "Rome | 100"),
        ("paragraph", 0, "End"),
    ]


def test_characters_of_every_kind() -> None:
    body = r"caf\'e9 \u8364?\emdash \u-10179?\u-8704?{\f1\'cf\'f0}\~\{x\}\ldblquote q\rdblquote"
    assert read(rtf(body), name="a.rtf").text == "café €—😀Пр {x}“q”"


def test_content_outside_the_text_is_left_out() -> None:
    body = (
        r"{\header Page 1}{\pict\wmetafile8 0102ff}{\*\generator Word;}{\v secret}{\field{\*\fldinst HYPERLINK "
        r'"http://x"}{\fldrslt a link}}{\*\unknown {\b text}}'
    )
    assert read(rtf(body), name="a.rtf").text == "a link"


def test_binary_data_is_passed_over() -> None:
    assert read(rtf("before {\\pict\\bin4 }}}}} after"), name="a.rtf").text == "before  after"


def test_nameless_bytes_are_recognised() -> None:
    assert read(rtf("Hello")).media_type == "application/rtf"


def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    assert read(rtf(r"One.\par Two.")[:-8], name="a.rtf").text.startswith("One.")


def test_another_format_under_its_name_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="looks like text"):
        read(b"plain", name="a.rtf")


@pytest.mark.parametrize(
    "part", ["{", r"\f1", r"{\field{\*\fldinst HYPERLINK ", r"\u1", r"\'e9", r"\cell", r"\par ", "}{"]
)
def test_a_million_of_anything_is_read_or_refused_in_time(part: str) -> None:
    with suppress(UnreadableDocument):
        read(rtf(part * (1_000_000 // len(part))), name="a.rtf")


def test_a_file_of_nothing_but_control_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.reading.office.rtf._MOST_TOKENS", 1000)
    with pytest.raises(CorruptDocument, match="control words"):
        read(rtf(r"\b1" * 1001), name="a.rtf")


def test_facts_of_one_thing_have_no_header() -> None:
    body = r"\trowd\intbl Size\cell 76 mm\cell\row\intbl Weight\cell 2 kg\cell\row\pard End"
    assert [kind for kind, _, _ in shown_blocks(read(rtf(body), name="a.rtf"))] == ["row", "row", "paragraph"]

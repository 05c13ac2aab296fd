"""Which texts are taken for AsciiDoc where their names do not say so."""

from __future__ import annotations

from time import process_time

import pytest

from pipelines.reading import read

MANUAL = (
    "ebb-furl(1)\n===========\n\nNAME\n----\nebb-furl - roll up\n\n[verse]\n'ebb furl' [-q]\n\nSee linkebb:ebb[1].\n"
)
TERMS = "[[def_sail]]sail::\n\tWhat catches the wind; see <<def_mast,mast>>.\n\n[[def_mast]]mast::\n\tIt holds it.\n"
ONE_LINE = "= Ebb\n\n== Tides\n\n* One\n+\nmore of it\n\n[source,sh]\n----\nebb\n----\n"
MACROS = "Ebb\n---\n\nSee linkebb:ebb[1], linkebb:ebb-furl[1] and linkebb:ebb-moor[1].\n"
LITERALS = "Ebb\n---\n\nUse ``a``, ``b`` and ``c``.\n+\nMore; see <<tides>>.\n"
PLAIN = "Shopping\n--------\n\ntea:: black\n+\nmilk\n"


@pytest.mark.parametrize("text", [MANUAL, TERMS, ONE_LINE, MACROS, LITERALS])
def test_evident_asciidoc_is_read_as_such_under_any_name_of_a_text(text: str) -> None:
    for content in (text, text.encode(), text.replace("\n", "\r\n").encode()):
        for name, media_type in (("a.txt", None), ("a.txt", "text/plain"), ("README", None), (None, None)):
            assert read(content, name=name, media_type=media_type).media_type == "text/asciidoc"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "== Tides ==\n\n[[Ebb]]\n\nA page of a wiki.\n",
        "Tides\n=====\n\nSee https://example.com/a[1], https://example.com/b[2] and https://example.com/c[3].\n",
        "Tides\n=====\n\n.. note::\n\n  Mind it.\n\nrows[0]\n+\n|===\n",
        "## Tides\n\n[[Ebb]]\n+\n<<Flow>>\n",
        "# Tides\n\n```toml\n[[bin]]\nname = 'ebb'\n\n[source]\n```\n\nMore\n----\n",
        "Tides\n=====\n\n[[ebb]]\n+\nSee [the flow](flow.html).\n",
        "Logs\n====\n\nharbour:tide[12]: ok\ncrane:job[3]: ok\nkernel:tick[4]: ok\n",
        "Rows\n====\n\nrows[start:end[0]], rows[start:end[1]] and rows[first:last[2]]\n",
        "Setup\n=====\n\ncat <<EOF >>tides\n+\n",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert read(text, name="a.txt").media_type != "text/asciidoc"


def test_a_page_that_says_that_it_is_markdown_stays_so() -> None:
    assert read(MANUAL, name="a.md").media_type == "text/markdown"


def test_the_terms_of_such_a_text_have_no_marks() -> None:
    document = read(TERMS, name="terms.txt")
    shown = [(block.kind, document.text[block.span.start : block.span.end]) for block in document.blocks]
    assert shown[:2] == [("term", "sail"), ("definition", "What catches the wind; see mast.")]


def test_pages_of_manuals_are_shown_with_their_sections() -> None:
    assert "See ebb(1), ebb-furl(1) and ebb-moor(1)." in read(MACROS, name="a.txt").text


def test_a_link_that_is_called_by_a_number_is_no_page_of_a_manual() -> None:
    assert "Pages 1 and 2." in read("= Ebb\n\nPages link:1.html[1] and link:2.html[2].\n", name="a.adoc").text


@pytest.mark.parametrize("part", ["ab:", "<<a,", "[[a", "ab:c[", "x::", "= a", "a::\n\n"])
def test_signs_of_nothing_take_linear_time(part: str) -> None:
    began = process_time()
    read(part * 30_000, name="a.txt", media_type="text/plain")
    assert process_time() - began < 10

"""What MkDocs' extensions add to Markdown."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def file(text: str) -> ParsedDocument:
    document = read(text.encode(), name="a.md")
    assert_blocks_fit(document)
    return document


@pytest.mark.parametrize(
    "written",
    [
        "{ #north }",
        "{#north}",
        "{: #north}",
        "{ .wide #north }",
        "{ data-search-exclude }",
        '{ #north title="The pier" }',
    ],
)
def test_attributes_of_a_heading_are_not_shown(written: str) -> None:
    assert [heading.title for heading in file(f"## The `pier` of 4.2 {written}\n").headings] == ["The pier of 4.2"]


@pytest.mark.parametrize("title", ["Boats { name }", "Boats {name}", "Boats {{ .name }}", "Boats {x|y}", "A{1}"])
def test_other_braces_of_a_heading_are_kept(title: str) -> None:
    assert [heading.title for heading in file(f"## {title}\n").headings] == [title]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[Moor](a.md){ .button .button--wide } now.", "Moor now."),
        ('[Moor](a.md){:target=_blank}, ![Pier](a.png){ width="30" align=right }.', "Moor, Pier."),
        ("Run `moor`{ .sh } now.\n{ .annotate }", "Run moor now."),
        ("Press ++ctrl+page-up++ or ++f1++.", "Press Ctrl+Page Up or f1."),
        ("It is ==very **deep** and `a == b`== here.", "It is very deep and a == b here."),
        ("(==deep==)", "(deep)"),
    ],
)
def test_attributes_keys_and_marked_words_leave_what_they_show(written: str, shown: str) -> None:
    assert file(written).text == shown


@pytest.mark.parametrize(
    "words",
    [
        "C++ and G++, i++ + j++, ++i or a++b++",
        "a == b or c ==d, x==y==z, ==== and if a == b == c",
        "The path /boats/{id} and {name}, {.wide} and {% x %}, [a](b) {size}",
        "A [pier]{id}, {++new++} and {==old==}",
    ],
)
def test_what_only_looks_like_an_extension_is_kept(words: str) -> None:
    assert file(words).text == words.replace("[a](b)", "a")


def test_code_and_text_that_is_no_file_keep_their_signs() -> None:
    signs = "++ctrl+k++ ==deep== x{ .wide }"
    assert file(f"`{signs}`\n\n```\n{signs}\n*[LOA]: Length\n```\n").text == f"{signs}\n\n{signs}\n*[LOA]: Length"
    words = f"{signs}\n*[LOA]: Length\n\n    x # (1)!"
    assert read(words).text == words.replace("    x", "x")


def test_what_abbreviations_stand_for_are_definitions() -> None:
    document = file("The LOA counts.\n*[LOA]: Length *over* all\n*[MMSI]: Its number\n")
    assert shown_blocks(document) == [
        ("paragraph", 0, "The LOA counts."),
        ("term", 0, "LOA"),
        ("definition", 1, "Length over all"),
        ("term", 0, "MMSI"),
        ("definition", 1, "Its number"),
    ]


def test_notes_on_code_keep_their_number() -> None:
    code = "wait: 1 # (1)!\nf(); // (12)!\n<a/> <!-- (3)! -->\nx = '(1)!'\n(1)! # y"
    shown = "wait: 1 # (1)\nf(); // (12)\n<a/> <!-- (3) -->\nx = '(1)!'\n(1)! # y"
    assert file(f"```yaml\n{code}\n```\n\n1. In seconds.\n").text == f"{shown}\n\n1. In seconds."


@pytest.mark.parametrize("part", ["[a](b){ .a ", "++a", "==a", "*[a]: ", "{a=", "# (1)! "])
def test_many_signs_of_extensions_are_read_in_a_moment(part: str) -> None:
    began = time.process_time()
    assert file(f"Boats.\n\n{part * 20_000}\n").text
    assert time.process_time() - began < 10

"""Markdown and plain text: kept as they are, the headings found as CommonMark has them."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import Heading


def titles(text: str) -> list[tuple[int, str]]:
    document = read(text)
    for heading in document.headings:
        assert heading.start == 0 or document.text[heading.start - 1] == "\n"
    return [(heading.level, heading.title) for heading in document.headings]


def test_headings_have_level_title_and_the_place_of_their_line() -> None:
    text = "Intro\n\n# One #\n\ntext\n\n  ## Two\n\nThree\n=====\n\nfour\nlines\n---\n"
    assert read(text).headings == (
        Heading(1, "One", text.index("# One")),
        Heading(2, "Two", text.index("  ## Two")),
        Heading(1, "Three", text.index("Three")),
        Heading(2, "four lines", text.index("four")),
    )


@pytest.mark.parametrize(
    "text",
    [
        "```\n# code\n```",
        "~~~~\n# code\n```\n# code\n~~~~",
        "    # indented code",
        "> # quoted",
        "- # in a list",
        "#no space",
        "####### seven",
        "\\# escaped",
        "#",
        "<!--\n# a comment\n-->",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "a\n\n---\n\nb",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert titles(text) == []


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Use `a_b` *now*", "Use a_b now"),
        ("# See [the guide](https://example.com)", "See the guide"),
        ("# Custom {#custom-id}", "Custom"),
        ("# A <em>b</em> &amp; c", "A b & c"),
        ("# Ä 𝄞 字", "Ä 𝄞 字"),
    ],
)
def test_a_title_is_what_a_reader_sees(line: str, title: str) -> None:
    assert titles(line) == [(1, title)]


def test_places_count_characters_not_bytes() -> None:
    text = "𝄞 字 ä\u2028still the line\n\n# Here"
    assert read(text).headings[0].start == text.index("# Here")


@pytest.mark.parametrize("closing", ["---", "..."])
def test_frontmatter_makes_no_heading_and_stays_in_the_text(closing: str) -> None:
    text = f"---\n# a comment\ntitle: Pug\ntags: [a]\n{closing}\n\n# Pug\n"
    document = read(text)
    assert document.text == text
    assert document.headings == (Heading(1, "Pug", text.index("# Pug")),)


def test_a_rule_at_the_beginning_is_no_frontmatter() -> None:
    assert titles("---\n\n# One\n\ntext\n\n---\n\n# Two") == [(1, "One"), (1, "Two")]


def test_the_title_is_the_first_heading_of_level_one() -> None:
    assert read("## Before\n\n# The title\n\n# Another").title == "The title"
    assert read("## Only smaller ones").title is None


def test_plain_text_has_no_headings() -> None:
    document = read(b"# a comment\n\nTitle\n=====\n", name="a.txt")
    assert document.headings == ()
    assert document.media_type == "text/plain"

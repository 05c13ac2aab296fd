"""Pandoc's title blocks and the manual pages that begin with one."""

from __future__ import annotations

import pytest
import yaml

from pipelines.reading import read

PAGE = "% lamp-trim 1\n\n## NAME\nlamp\\-trim - Trim the wick\n\n## DESCRIPTION\nTrims it.\n"


def test_the_title_block_is_front_matter() -> None:
    document = read("% Care of\n  lamps\n% Ida Lund; Ole Berg\n% May 2021\n\nTrim the wick.\n", name="a.md")
    assert document.text == "Trim the wick."
    assert document.title == "Care of lamps"
    assert yaml.safe_load(document.frontmatter) == {
        "title": "Care of lamps",
        "author": "Ida Lund; Ole Berg",
        "date": "May 2021",
    }


@pytest.mark.parametrize(
    "head", ["% lamp-trim 1", "% lamp-trim(1)", "% lamp-trim(1) Lamp Manual | 2.0", '% lamp-trim 1 "May 2021" "Lamps"']
)
def test_the_title_of_a_manual_page_is_its_name_and_section(head: str) -> None:
    document = read(PAGE.replace("% lamp-trim 1", head), name="lamp-trim.1.md")
    assert document.title == "lamp-trim(1)"
    assert document.text.startswith("NAME")


def test_a_figure_in_a_title_is_no_section() -> None:
    assert read("% Lamps 2\n\nTrim the wick.\n", name="a.md").title == "Lamps 2"


@pytest.mark.parametrize(
    "text",
    [
        "% of lamps that\nare lit.",
        "%lamp\n\nTrim it.",
        "%\n\nTrim it.",
        "100 %\n\nTrim it.",
        "% one\n% two\n% three\n% four\n",
    ],
)
def test_other_lines_with_the_sign_are_text(text: str) -> None:
    document = read(text, name="a.md")
    assert "%" in document.text
    assert document.frontmatter == ""


def test_a_link_to_a_heading_or_an_object_shows_its_name() -> None:
    assert read("See [[@lamp]], [[#Care of wicks]] and [[lamp]].", name="a.md").text == (
        "See lamp, Care of wicks and [[lamp]]."
    )

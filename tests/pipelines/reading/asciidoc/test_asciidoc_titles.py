"""AsciiDoc: titles over a rule of signs."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument


def file(text: str) -> ParsedDocument:
    return read(text.encode(), name="a.adoc")


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in file(text).headings]


def test_titles_over_rules_have_the_level_of_their_signs() -> None:
    signs = dict(zip("=-~^+", ("Pumps", "Hoses", "Long hoses", "Red ones", "Old ones"), strict=True))
    text = "".join(f"{title}\n{sign * len(title)}\n\nWords.\n\n" for sign, title in signs.items())
    assert titles(text) == [(level, title) for level, title in enumerate(signs.values(), start=1)]
    assert file(text).text.count("Words.") == 5
    assert file(text).title == "Pumps"


def test_the_header_may_stand_below_a_rule_and_lines_keep_their_numbers() -> None:
    document = file("Pump manual\n===========\nAnn Lee <ann@x.org>\n\nFirst\n-----\nThe pump.\n")
    assert (document.title, document.metadata) == ("Pump manual", {"author": "Ann Lee"})
    assert [(block.kind, block.line) for block in document.blocks] == [("heading", 1), ("heading", 5), ("paragraph", 7)]


@pytest.mark.parametrize("rule", ["-------", "--------", "---------"])
@pytest.mark.parametrize("before", ["", "Words.\n\n", "[[hoses]]\n", "// a comment\n", "----\ncode\n----\n"])
def test_a_rule_may_be_a_sign_longer_or_shorter_than_its_title(before: str, rule: str) -> None:
    assert titles(f"{before}Two line\n{rule}\n\nText.\n\nLater on\n{rule}\n") == [(2, "Two line"), (2, "Later on")]


@pytest.mark.parametrize(
    "text",
    [
        "Run this:\n----\nmake all\n----\n",
        "[source]\n--------\nmake all\n--------\n",
        ".Building\n---------\nmake all\n---------\n",
        "One line.\nTwo line\n--------\nmake all\n--------\n",
        "----\nTwo line\n--------\n----\n",
        "====\nNotes\n\nTwo line\n--------\nmake all\n--------\n====\n",
        "|===\n|Two\n\nline\n----\n|===\n",
        "////\n\nTwo line\n--------\n////\n\nText.\n",
        "* one two\n---------\nmake all\n---------\n",
        "!!!\n---\n\nText.\n",
    ],
)
def test_other_lines_over_a_rule_are_no_titles(text: str) -> None:
    assert titles(text + "\n== Last\n\nEnd.\n") == [(2, "Last")]


def test_a_title_over_a_rule_may_depend_on_a_condition() -> None:
    text = "ifdef::x[]\nHoses\n-----\nendif::[]\nifndef::x[]\nPumps\n-----\nendif::[]\n\nText.\n"
    assert titles(text) == [(2, "Pumps")]

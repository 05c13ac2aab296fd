"""Front matter of Markdown is taken off its text."""

from __future__ import annotations

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading.markdown.frontmatter import split_frontmatter


@pytest.mark.parametrize("head", ["---\n---\n", "---\n\n---\n", "--- \n  \n...\n"])
def test_empty_frontmatter_is_taken_off(head: str) -> None:
    found, lines = split_frontmatter(head + "# Body")
    assert found.strip() == ""
    assert [line for _, line in lines] == ["# Body"]


@pytest.mark.parametrize(
    "text",
    ["Body\n---\na: 1\n---\n", "--- a\nb", "---\nnever: closed", "----\na: 1\n----\n", "---\nProse.\n\n---\nMore."],
)
def test_other_text_is_not_frontmatter(text: str) -> None:
    found, lines = split_frontmatter(text)
    assert found == ""
    assert "\n".join(line for _, line in lines) == text


def test_lines_keep_their_numbers() -> None:
    assert split_frontmatter("---\na: 1\n---\n# Body") == ("a: 1", [(4, "# Body")])
    assert split_frontmatter("---\na: 1\n---") == ("a: 1", [])


def test_toml_becomes_yaml() -> None:
    found, lines = split_frontmatter('+++\ntitle = "Care: pugs"\ntags = ["a"]\n+++\nBody')
    assert found == "title: 'Care: pugs'\ntags:\n- a\n"
    assert lines == [(5, "Body")]
    assert split_frontmatter("+++\nnever closed")[0] == ""


def test_invalid_toml_is_refused_with_advice() -> None:
    with pytest.raises(CorruptDocument, match="mend it or remove it"):
        split_frontmatter("+++\na = [\n+++\nBody")

"""Markdown: marks that other programs than a Markdown parser read are not shown."""

from __future__ import annotations

import pytest

from pipelines.reading import read


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## Pots ## {: #pots }", "Pots"),
        ("## Pots # {#pots}", "Pots"),
        ("## Key of C# {: .music }", "Key of C#"),
    ],
)
def test_a_list_of_attributes_behind_a_closed_heading_is_not_shown(line: str, title: str) -> None:
    assert [heading.title for heading in read(line.encode(), name="a.md").headings] == [title]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("See [Old Pots][] and [`pot.lid`][].", "See Old Pots and pot.lid."),
        ("See [the *big* [pot]][] there.", "See the big [pot] there."),
        ("See [pans][].\n\n[pans]: https://example.com", "See pans."),
        ("An `[a][]` and int[][] and a[i][].", "An [a][] and int[][] and a[i][]."),
        (r"An \[a][] and ![b][] and [][].", "An [a][] and ![b][] and [][]."),
    ],
)
def test_a_reference_that_the_file_does_not_define_shows_its_words(line: str, text: str) -> None:
    assert read(line.encode(), name="a.md").text == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Click <span mi icon>add</span> or **Add Pot**.", "Click add or Add Pot."),
        ("Click <span icon class='big'>add</span> *twice*.", "Click add twice."),
        ("If a <b and c> d, stir.", "If a <b and c> d, stir."),
    ],
)
def test_tags_with_attributes_that_have_no_value_are_markup_where_they_end(line: str, text: str) -> None:
    assert read(line.encode(), name="a.md").text == text

"""Markdown: the names of folded parts are headings."""

from __future__ import annotations

import pytest

from pipelines.reading import read

FOLDED = """\
# Kettle

## Questions

Ask away.

<details><summary>May I boil <b>milk</b>?</summary><br>

No, it burns.

</details>
<details>
<summary>Is it safe?</summary>

It turns itself off.

</details>

&nbsp;

## Parts

<details>
<summary>Click to expand!</summary>

A lid.

</details>
"""


def test_names_of_folded_parts_are_headings_below_their_section() -> None:
    document = read(FOLDED, name="a.md")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Kettle"),
        (2, "Questions"),
        (3, "May I boil milk?"),
        (3, "Is it safe?"),
        (2, "Parts"),
    ]
    assert document.text.endswith("Parts\n\nA lid.")


@pytest.mark.parametrize(
    ("behind", "titles"),
    [
        ("No.\n\n</details>", ["Kettle", "May I boil milk?"]),
        ("No.\n\n</details>\n\nMore of the section.", ["Kettle"]),
        ("### Milk\n\nIt burns.\n\n</details>", ["Kettle", "Milk"]),
        ("No.\n\n## Parts", ["Kettle", "Parts"]),
    ],
)
def test_names_stay_paragraphs_where_their_text_does_not_end_the_section(behind: str, titles: list[str]) -> None:
    document = read(f"# Kettle\n\n<details>\n<summary>May I boil milk?</summary>\n\n{behind}\n", name="a.md")
    assert [heading.title for heading in document.headings] == titles
    assert "May I boil milk?" in document.text

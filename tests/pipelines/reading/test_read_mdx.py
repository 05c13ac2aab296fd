"""MDX: components in code, and what looks like a script."""

from __future__ import annotations

import pytest

from pipelines.reading import read

_NOTE = "\n\n<Note>\nHi.\n</Note>\n"


def shown(text: str) -> str:
    return read(text.encode(), name="a.md").text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('Use `<Button kind="x" />` to submit.', 'Use <Button kind="x" /> to submit.'),
        ("A `<Tabs>` with `<Tab title='A'>` inside.", "A <Tabs> with <Tab title='A'> inside."),
        ("Types `Map<String, Foo>` and `` List<Bar ``.", "Types Map<String, Foo> and List<Bar."),
        ("A comment `{/* like this */}` is code.", "A comment {/* like this */} is code."),
        ("A <Badge>new</Badge> `<Badge>`.", "A new <Badge>."),
        ("A <Badge kind={`a`}>new</Badge> word.", "A new word."),
        ('A <Badge a="`">new</Badge> <Badge b="`">word</Badge>.', "A new word."),
        ("A {/* `hidden` */}word.", "A word."),
        ("A `tick <Badge>new</Badge> word.", "A `tick new word."),
    ],
)
def test_code_in_a_line_keeps_what_looks_like_components(line: str, expected: str) -> None:
    assert shown(line + _NOTE) == f"{expected}\n\nNote: Hi."


def test_an_open_tag_in_code_does_not_join_lines() -> None:
    assert shown("- Use `<Tabs`\n- Use `<Tab`\n" + _NOTE) == "- Use <Tabs\n- Use <Tab\n\nNote: Hi."

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


@pytest.mark.parametrize(
    "words",
    [
        "You set variables which you\nexport default to strings, and are lost when the shell ends.\nMore.",
        "The names that modules\nexport const x = 1 and others are checked.\nMore.",
        'Ask them to\nimport all settings from "base.yml"\nMore.',
        "export default values to a file\nMore.",
        "export function names only.\nMore.",
        "export let users choose.\nMore.",
        "export const is no command.\nMore.",
        "export default class diagrams as pictures.\nMore.",
    ],
)
def test_prose_about_exports_is_no_script(words: str) -> None:
    assert shown(f"{words}\n\nUse <Name> there.\n") == f"{' '.join(words.split())}\n\nUse <Name> there."
    assert " ".join(shown(words + _NOTE).split()) == f"{' '.join(words.split())} Note: Hi."


@pytest.mark.parametrize(
    "script",
    [
        "export const x = 1",
        "export const x: Pier = {\n  a: 1\n}",
        "export const { a, b } = piers;",
        "export let [a] = piers",
        "export const Pier = ({ children }) => (\n  <b>{children}</b>\n);",
        "export function Pier() {\n  return 1\n}",
        "export function* piers(a) { yield a }",
        "export default function ({ children }) {\n  return children\n}",
        "export default Layout",
        "export default Layout;",
        "export default withPier(Layout)",
        "export default ({ children }) => <b>{children}</b>",
        "export default props => <b />",
        "export default class Pier extends Boat {\n}",
        "export default async () => {\n}",
        "export default { a: 1 }",
        'import A from "a"\nexport const x = 1',
        'import {\n  A\n} from "a"\nexport const x = 1',
        'import A from "a"\nimport "b"\nimport {\n  C\n} from "c"\nexport default A',
    ],
)
@pytest.mark.parametrize(
    ("before", "above"),
    [("", ""), ("Words.\n\n", "Words.\n\n"), ("# Title\n", "Title\n\n"), ("```\ncode\n```\n", "code\n\n")],
)
def test_scripts_are_left_out_and_tell_that_it_is_mdx(script: str, before: str, above: str) -> None:
    assert shown(f"{before}{script}\n\nUse <Name>it</Name> there.\n") == f"{above}Use it there."

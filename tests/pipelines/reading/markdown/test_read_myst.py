"""MyST: Markdown with Sphinx's directives and roles."""

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


def test_labels_and_comments_go_and_roles_leave_their_words() -> None:
    document = file(
        "(mooring)=\n\n# Mooring a boat\n\n% not shown\n+++\n\n"
        "See {ref}`the tides <tides>`, {doc}`../plan/night-watch`, {class}`.Anchor` and {meth}`~boat.Anchor.drop`.\n"
        "Also {ref}`mooring` and [](#mooring), [](./rope_work.md).\n"
    )
    assert document.text == (
        "Mooring a boat\n\nSee the tides, night watch, Anchor and drop(). "
        "Also Mooring a boat and Mooring a boat, rope work."
    )


@pytest.mark.parametrize("fence", ["```", "````", ":::", "~~~"])
def test_a_note_is_a_note_whatever_its_fence(fence: str) -> None:
    document = file(f"{fence}{{warning}}\n:class: wide\n\nThe *quay* is slippery.\n{fence}\n\nEnd.\n")
    assert shown_blocks(document) == [("note", 0, "Warning: The quay is slippery."), ("paragraph", 0, "End.")]


def test_a_titled_box_keeps_its_list() -> None:
    document = file("Two roles:\n\n```{admonition} **Roles**\n- `skipper` leads\n- crew\n```\n")
    assert shown_blocks(document) == [
        ("paragraph", 0, "Two roles:"),
        ("caption", 0, "Roles"),
        ("item", 1, "- skipper leads"),
        ("item", 1, "- crew"),
    ]


def test_directives_of_code_are_code_and_others_leave_what_they_hold() -> None:
    document = file(
        "````{note}\n```{code-block} bash\n:linenos:\n\nmoor --fast {x}`y`\n```\n````\n\n"
        "```{toctree}\nplan/a\n```\n\n:::{versionadded} 2.1\nNight mooring.\n:::\n\n"
        "```{figure} quay.png\n---\nwidth: 50%\n---\nThe old quay.\n```\n\n```python\nx = {1}\n```\n"
    )
    assert [(kind, text) for kind, _, text in shown_blocks(document)][-4:] == [
        ("code", "moor --fast {x}`y`"),
        ("paragraph", "New in version 2.1: Night mooring."),
        ("paragraph", "The old quay."),
        ("code", "x = {1}"),
    ]


SUBSTITUTIONS = """\
---
myst:
  substitutions: {release: 1.10, boat: "the **old** [ketch](k.md)", many: "{{ release }}", block: "- a\\n- b"}
substitutions: {quay: North Quay}
---
# {{ quay }}

Since {{release}}, {{ boat }} lies at *{{ quay }}*; {{ unknown }} and {{ release | upper }} stay.

| Where | Since |
|---|---|
| {{ quay }} | {{ release }} |

`{{ quay }}`

```jinja
{{ quay }}
```

    {{ quay }}

:::{note}
At {{ quay }} only. {{ many }} {{ block }}
:::
"""


def test_names_whose_values_the_front_matter_gives_are_their_values_but_in_code() -> None:
    document = file(SUBSTITUTIONS)
    assert document.title == "North Quay"
    assert [(kind, text) for kind, _, text in shown_blocks(document)] == [
        ("heading", "North Quay"),
        (
            "paragraph",
            "Since 1.10, the old ketch lies at North Quay; {{ unknown }} and {{ release | upper }} stay.",
        ),
        ("header", "Where | Since"),
        ("row", "North Quay | 1.10"),
        ("paragraph", "{{ quay }}"),
        ("code", "{{ quay }}"),
        ("code", "{{ quay }}"),
        ("note", "Note: At North Quay only. {{ release }} {{ block }}"),
    ]


@pytest.mark.parametrize(
    "frontmatter", ["substitutions: [", "substitutions: [a]", "myst: {substitutions: 3}", "a: substitutions"]
)
def test_front_matter_without_such_values_leaves_names_as_they_are(frontmatter: str) -> None:
    assert file(f"---\n{frontmatter}\n---\nAt {{{{ quay }}}}.\n").text == "At {{ quay }}."


def test_a_list_table_is_a_table() -> None:
    document = file(
        "```{list-table} Piers\n:header-rows: 1\n\n* - Pier\n  - Power\n* - {file}`A`\n  - 16\n    amperes\n"
        "* - B\n```\n"
    )
    assert document.text == "Piers\n\nPier | Power\nA | 16 amperes\nB"


def test_plain_markdown_keeps_what_only_looks_like_it() -> None:
    assert (
        file("Write {name} as `{ref}` and % of all.\n\n% of all\n").text
        == "Write {name} as {ref} and % of all.\n\n% of all"
    )


def test_what_only_prepares_examples_is_not_shown() -> None:
    prepared = "```{testsetup}\nimport tides\n```\n\n:::{testcleanup}\ntides.reset()\n:::\n"
    assert file(f"Boats wait.\n\n{prepared}\nThey leave at nine.").text == "Boats wait.\n\nThey leave at nine."


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ask `/boats/{id}` until `moored` is `yes`.", "Ask /boats/{id} until moored is yes."),
        ("A `boat{id}` or `pier`, {name}.", "A boat{id} or pier, {name}."),
        ("Both ``boats/{id}`` and ``piers/{id}``.", "Both boats/{id} and piers/{id}."),
    ],
)
@pytest.mark.parametrize(("role", "word"), [("", ""), ("See {file}`boats.txt`. ", "See boats.txt. ")])
def test_braces_at_the_end_of_code_begin_no_role(written: str, expected: str, role: str, word: str) -> None:
    assert file(role + written).text == word + expected
    assert file(written + role.rstrip()).text == expected + word.rstrip()


@pytest.mark.parametrize("part", ["{a}`", "`", "`a", "``a`", "{a}``b` ", "`{a}`"])
def test_many_beginnings_of_roles_are_read_in_a_moment(part: str) -> None:
    began = time.process_time()
    assert file(f"{{file}}`a`\n\n{part * 20_000}\n").text
    assert time.process_time() - began < 5


def test_what_is_typed_in_a_directive_that_nobody_knows_is_code() -> None:
    document = file(
        "```{crew-shell}\n$ moor --fast\n$ moor --list | tail\n```\n\n```{quay-note}\nThe quay is wet.\n```\n\n"
        "```{tip}\n$ signs are typed too.\n```\n\n:::{sail-cli}\n:numbered:\n\n>>> reef(2)\n:::\n"
    )
    assert [(kind, text) for kind, _, text in shown_blocks(document)] == [
        ("code", "$ moor --fast\n$ moor --list | tail"),
        ("paragraph", "The quay is wet."),
        ("note", "Tip: $ signs are typed too."),
        ("code", ">>> reef(2)"),
    ]

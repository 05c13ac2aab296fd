"""Markdown as a person sees it: blocks and words, no marks."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import Heading, ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def file(text: str) -> ParsedDocument:
    document = read(text.encode(), name="a.md")
    assert_blocks_fit(document)
    return document


def given(text: str) -> ParsedDocument:
    document = read(text)
    assert_blocks_fit(document)
    return document


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in given(text).headings]


def test_a_page_is_read_without_its_marks() -> None:
    document = file(
        "# Pugs #\n\nA *small* dog,\nsee [the list](https://example.com) and `care()`.\n\n"
        "They need:\n\n- food\n  - meat\n- water\n\n3. rest\n4. play\n\n---\n\n> Said so.\n\n```py\nx = 1\n```\n"
    )
    assert document.text == (
        "Pugs\n\nA small dog, see the list and care().\n\nThey need:\n\n- food\n  - meat\n- water\n3. rest\n4. play\n\n"
        "Said so.\n\nx = 1"
    )
    assert shown_blocks(document) == [
        ("heading", 1, "Pugs"),
        ("paragraph", 0, "A small dog, see the list and care()."),
        ("paragraph", 0, "They need:"),
        ("item", 1, "- food"),
        ("item", 2, "  - meat"),
        ("item", 1, "- water"),
        ("item", 1, "3. rest"),
        ("item", 1, "4. play"),
        ("quote", 0, "Said so."),
        ("code", 0, "x = 1"),
    ]


def test_headings_have_level_title_and_their_place() -> None:
    document = given("Intro\n\n# One #\n\ntext\n\n  ## Two\n\nThree\n=====\n\nfour\nlines\n---\n")
    assert document.headings == (
        Heading(1, "One", document.text.index("One")),
        Heading(2, "Two", document.text.index("Two")),
        Heading(1, "Three", document.text.index("Three")),
        Heading(2, "four lines", document.text.index("four lines")),
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
        "a\n\n<!--\n# a comment\n-->",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "a\n\n---\n\nb",
    ],
)
def test_text_that_only_looks_like_a_heading_is_not_one(text: str) -> None:
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


def test_blocks_know_their_line_of_the_file() -> None:
    document = file("---\ntitle: x\n---\n\n# One\n\nTwo\nlines.\n\n- a\n- b\n\n| k | v |\n|---|---|\n| 1 | 2 |\n")
    assert [(block.kind, block.line) for block in document.blocks] == [
        ("heading", 5),
        ("paragraph", 7),
        ("item", 10),
        ("item", 11),
        ("header", 13),
        ("row", 15),
    ]


def test_content_of_an_item_is_a_level_deeper() -> None:
    document = file("Steps:\n\n1. First\n\n   More of it:\n\n   - inner\n\n   ```\n   run\n   ```\n2. Second\n")
    assert shown_blocks(document) == [
        ("paragraph", 0, "Steps:"),
        ("item", 1, "1. First"),
        ("paragraph", 2, "More of it:"),
        ("item", 3, "  - inner"),
        ("code", 3, "run"),
        ("item", 1, "2. Second"),
    ]


def test_a_box_stays_whether_it_is_ticked_or_not() -> None:
    assert file("- [ ] mend the net\n- [x] tar the hull\n").text == "- [ ] mend the net\n- [x] tar the hull"
    assert file("1. [ ] mend\n\n   the net\n").text == "1. [ ] mend\n\nthe net"


def test_tables_have_a_header_and_cells_on_one_line() -> None:
    document = file("Prices:\n\n| Kind | *Fee* |\n|:-----|----:|\n| a \\| b | 1<br>2 |\n| c |\n")
    assert shown_blocks(document) == [
        ("paragraph", 0, "Prices:"),
        ("header", 1, "Kind | Fee"),
        ("row", 1, "a|b | 1 / 2"),
        ("row", 1, "c"),
    ]


def test_definitions_stand_below_their_term() -> None:
    document = file("The values are:\n\nPug\n: A dog.\n\n  Small.\n\nCat\n: None.\n")
    assert shown_blocks(document) == [
        ("paragraph", 0, "The values are:"),
        ("term", 1, "Pug"),
        ("definition", 2, "A dog."),
        ("paragraph", 2, "Small."),
        ("term", 1, "Cat"),
        ("definition", 2, "None."),
    ]


def test_code_belongs_to_what_leads_into_it() -> None:
    document = file("Run this:\n\n    make all\n\nThat is it.\n\n    make none\n")
    assert [(kind, level) for kind, level, _ in shown_blocks(document)] == [
        ("paragraph", 0), ("code", 1), ("paragraph", 0), ("code", 0)
    ]  # fmt: skip


def test_long_footnotes_leave_the_sentence_and_stay_readable() -> None:
    document = file(f"Pugs snore[^a] a lot.\n\n[^a]: Most {'very ' * 30}loudly.\n")
    assert document.text == f"Pugs snore a lot.\n\nFootnote a: Most {'very ' * 30}loudly."
    assert document.blocks[1].kind == "note"


def test_link_definitions_and_comments_are_not_seen() -> None:
    assert file("See [here][1].\n\n[1]: https://example.com\n\n<!-- hidden\n\nstill -->\n\nEnd.").text == (
        "See here.\n\nEnd."
    )


@pytest.mark.parametrize(
    "text",
    [
        "> [!WARNING]\n> Hot.\n>\n> - stove\n",
        "!!! warning\n    Hot.\n\n    - stove\n",
        "??? warning\n    Hot.\n\n    - stove\n",
        ":::warning\nHot.\n\n- stove\n:::\n",
        "::: {.callout-warning}\nHot.\n\n- stove\n:::\n",
        "{{< warning >}}\nHot.\n\n- stove\n{{< /warning >}}\n",
        '{% hint style="warning" %}\nHot.\n\n- stove\n{% endhint %}\n',
        'import A from "a"\n\n<Warning>\nHot.\n\n- stove\n</Warning>\n',
        'import A from "a"\n\n<Admonition type="warning">\nHot.\n\n- stove\n</Admonition>\n',
        '<div class="warning"><p>Hot.</p><ul><li>stove</li></ul></div>\n',
    ],
)
def test_notes_of_any_dialect_are_notes(text: str) -> None:
    document = file(text + "\nAfter.\n")
    assert shown_blocks(document) == [("note", 0, "Warning: Hot."), ("item", 1, "- stove"), ("paragraph", 0, "After.")]


def test_a_note_has_its_title() -> None:
    assert file('!!! note "Old disks"\n    They fail.\n').text == "Note: Old disks. They fail."
    assert file(":::tip[Quick!]\nRun.\n:::\n").text == "Tip: Quick! Run."


def test_a_note_in_an_item_belongs_to_it() -> None:
    document = file(
        "1. Go.\n\n   {{< note >}}\n   Slowly.\n   {{< /note >}}\n\n2. Stop. {{< note >}}At once.{{< /note >}}\n"
    )
    assert shown_blocks(document) == [
        ("item", 1, "1. Go."),
        ("note", 2, "Note: Slowly."),
        ("item", 1, "2. Stop."),
        ("note", 2, "Note: At once."),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('A {{< glossary_tooltip text="Pod" term_id="pod" >}} runs.', "A Pod runs."),
        ('A {{< glossary_tooltip\n  text="Pod" term_id="pod" >}} runs.', "A Pod runs."),
        ('A `{{< glossary_tooltip term_id="pod" >}}` runs.', "A pod runs."),
        ('## {{% heading "whatsnext" %}}', "What's next"),
        ('{{< feature-state for_k8s_version="v1.2" state="beta" >}}', "Feature state: Kubernetes v1.2, beta"),
        ("As of v{{< skew currentVersion >}}.", "As of (current version)."),
        ('Text {{< glossary_definition term_id="pod" >}}', "Text"),
        ('See:\n\n{{% code_sample file="pods/a.yaml" %}}', "See:\n\npods/a.yaml"),
        ('Text {{< unknown x="1" >}}.', "Text ."),
        ("{{< comment >}}\nhidden\n{{< /comment >}}\nText", "Text"),
        ('{{< table caption="Fees" >}}\nKind | Fee\n---|---\na | 1\n{{< /table >}}', "Fees\n\nKind | Fee\na | 1"),
        ('{{< figure src="a.png" title="Fig. 1" caption="A [pod](x)." >}}', "Fig. 1. A pod"),
        ('See [it]({{< ref "a.md" >}}).', "See it."),
        (
            '{{< code file="a/tide.html" >}}\n<b>{{ .Tide }}</b>\n---\n{{< /code >}}',
            "a/tide.html\n\n<b>{{ .Tide }}</b>\n---",
        ),
        ('{{< code-toggle file="ebb" >}}\n[tide]\n  high = 1\n{{</ code-toggle >}}', "[tide]\n  high = 1"),
        ('All:\n\n{{< code-toggle config="tide" />}}\n\nText', "All:\n\nText"),
        ('{{< new-in "1.2.0" >}}. Ebbs.', "New in version 1.2.0. Ebbs."),
        ("{{< note >}}\n**Note:** Slowly.\n{{< /note >}}", "Note: Slowly."),
        ("Write `{{< note >}}` for a note.", "Write {{< note >}} for a note."),
        ("Write {{</* note */>}}.", "Write {{< note >}}."),
    ],
)
def test_shortcodes_are_what_they_show(text: str, shown: str) -> None:
    assert file(text).text == shown


def test_tabs_are_titled_and_keep_their_code() -> None:
    document = file(
        '{{< tabs name="x" >}}\n{{< tab name="Bash" codelang="bash" >}}\necho *hi*\n{{< /tab >}}\n'
        '{{% tab name="Text" %}}\nSome *words*.\n{{% /tab %}}\n{{< /tabs >}}\n'
    )
    assert shown_blocks(document) == [
        ("caption", 0, "Bash"),
        ("code", 1, "echo *hi*"),
        ("caption", 0, "Text"),
        ("paragraph", 0, "Some words."),
    ]
    assert file('=== "Linux"\n\n    Use *apt*.\n').text == "Linux\n\nUse apt."


def test_components_leave_their_words() -> None:
    document = file(
        'import Tabs from "@theme/Tabs"\nimport {\n  A,\n} from "a"\nexport const x = {\n  a: 1\n}\n\n# Title\n\n'
        '<Tabs\n  groupId="os"\n  items={[1 > 0]}>\n  <TabItem label="Linux">\n\n'
        "    Use **apt**.\n\n  </TabItem>\n</Tabs>\n\n"
        "Some <Badge kind={{a: 1}}>new</Badge> words. {/* hidden */}\n\n```jsx\n<Tabs />\n```\n"
    )
    assert document.text == "Title\n\nLinux\n\nUse apt.\n\nSome new words.\n\n<Tabs />"


def test_leftovers_of_templates_go() -> None:
    assert (
        file("{% include nav.html %}\n# Title\n{: .no_toc}\n\nSee {{ site.name }}.\n").text == "Title\n\nSee site.name."
    )


def test_html_is_read_like_a_page() -> None:
    document = file(
        "Limits:\n\n<table>\n<tr><th>Cloud</th><th>Disks</th></tr>\n\n<tr><td>A</td><td>39</td></tr>\n</table>\n\n"
        "<details>\n<summary>More</summary>\n\nSome *words*.\n\n</details>\n\nH<sub>2</sub>O, 10<sup>5</sup>, a<br>b\n"
    )
    assert document.text == "Limits:\n\nCloud | Disks\nA | 39\n\nMore\n\nSome words.\n\nH2O, 10^5, a\nb"


def test_text_that_is_not_html_is_kept() -> None:
    text = file("A `List<String>` is List<String>, <name> and <title> too.\n\nMap<Key> x\n").text
    assert text == "A List<String> is List<String>, <name> and <title> too.\n\nMap<Key> x"


@pytest.mark.parametrize("closing", ["---", "..."])
def test_frontmatter_is_kept_apart(closing: str) -> None:
    document = file(f"---\n# a comment\ntitle: Pug\ntags: [a]\n{closing}\n\n# Pug\n")
    assert document.text == "Pug"
    assert document.frontmatter == "# a comment\ntitle: Pug\ntags: [a]"


def test_a_rule_at_the_beginning_is_not_frontmatter() -> None:
    assert titles("---\n\n# One\n\ntext\n\n---\n\n# Two") == [(1, "One"), (1, "Two")]


def test_the_title_is_the_first_heading_of_level_one() -> None:
    assert given("## Before\n\n# The title\n\n# Another").title == "The title"
    assert given("## Only smaller ones").title is None
    assert given("# Version 2.1.0\n\n# Version 2.0.0").title is None  # the file is named after what changes
    assert given("# Version 2.1.0\n\n# Installing").title == "Version 2.1.0"


@pytest.mark.parametrize(
    "text",
    [
        "a<b and c>d",
        "snake_case_name",
        "2 * 3 * 4",
        "2*3*4 and f(*args, *more)",
        r"C:\new\_x and D:\*",
        "one\ntwo\nthree",
        "{{ name }} and {% x %}",
        "x <title> y",
    ],
)
def test_a_text_without_a_format_loses_no_character(text: str) -> None:
    assert given(text).text == text


def test_nesting_beyond_measure_loses_no_words() -> None:
    assert given(">" * 300 + " deep words").text == "deep words"
    assert given("1. " * 300 + "deep words").text == "deep words"


def test_components_are_known_without_an_import() -> None:
    document = file(
        "# Boats\n\n<Note>\n  Moor [early](/x).\n</Note>\n\n| Pier | Power |\n| --- | --- |\n"
        "| A | <Check size={18} /> |\n| B | <Cross size={18} /> |\n"
    )
    assert document.text == "Boats\n\nNote: Moor early.\n\nPier | Power\nA | Yes\nB | No"
    assert file("Write <Name> there, or `<Name />`.\n").text == "Write <Name> there, or <Name />."


def test_lists_and_paragraphs_in_cells_keep_their_words_apart() -> None:
    cells = "| <ul><li>rent</li><li>tax</li></ul> | <p>May</p><p>June</p> |"
    assert file(f"| What | When |\n|---|---|\n{cells}\n").text == "What | When\nrent / tax | May / June"


@pytest.mark.parametrize("mark", ["[TOC]", "[[_TOC_]]", "[[toc]]", "${toc}"])
def test_the_place_of_the_contents_is_left_out(mark: str) -> None:
    assert file(f"# Fees\n\n{mark}\n\nThey are due.\n").text == "Fees\n\nThey are due."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See [[Fees]].", "See Fees."),
        ("See [[fees/list|the list]].", "See the list."),
        ("See [[our fees]].", "See our fees."),
        ("The [[package]] section", "The [[package]] section"),
        ("A matrix [[1,2],[3,4]] and `[[ -f A | B ]]`", "A matrix [[1,2],[3,4]] and [[ -f A | B ]]"),
        ("Above ![[plan.png]] below", "Above  below"),
    ],
)
def test_links_of_a_wiki_are_their_words(written: str, shown: str) -> None:
    assert file(written).text == shown


def test_a_field_of_an_api_keeps_its_name() -> None:
    fields = (
        '<ParamField path="limit" type="integer" required>\n\nHow many.\n\n</ParamField>\n\n'
        '<ResponseField name="next">\n\nThe next page.\n\n</ResponseField>\n'
    )
    assert read(fields, name="a.mdx").text == "limit (integer)\n\nHow many.\n\nnext\n\nThe next page."


@pytest.mark.parametrize(
    ("quote", "kind", "said"),
    [
        ("> **Note**\n>\n> Boats wait here.", "note", "Note: Boats wait here."),
        ("> **Warning:**\n> Mind the step.", "note", "Warning: Mind the step."),
        ("> **Ann**\n> Boats wait here.", "quote", "Ann Boats wait here."),
        ("> Note\n> Boats wait here.", "quote", "Note Boats wait here."),
    ],
)
def test_a_quote_that_begins_with_the_bold_name_of_a_note_is_one(quote: str, kind: str, said: str) -> None:
    (block,) = file(quote).blocks
    assert (block.kind, file(quote).text) == (kind, said)


@pytest.mark.parametrize(
    "written",
    [
        '```python\n--8<-- "examples/moor.py"\n```',
        "::: harbour.boats.Boat",
        "::: mkdocs-click",
        ":octicons-file-code-16:{ .lg }",
    ],
)
def test_what_other_programs_fill_in_is_not_shown(written: str) -> None:
    assert (
        file(f"Boats wait.\n\n{written}\n\nThey leave at nine :wave:.").text
        == "Boats wait.\n\nThey leave at nine :wave:."
    )


def test_a_tab_has_its_title_without_the_icon() -> None:
    assert file('=== ":octicons-file-code-16: boats.toml"\n\n    wait = 1\n').text.startswith("boats.toml")


def test_code_that_shows_how_such_things_are_written_stays() -> None:
    code = "::: harbour.boats\n:octicons-file-16: boats"
    assert file(f"Write:\n\n```\n{code}\n```").text == f"Write:\n\n{code}"

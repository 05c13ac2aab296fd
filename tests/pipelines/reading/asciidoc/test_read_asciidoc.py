"""AsciiDoc: what a person sees of it, in blocks."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def blocks(text: str) -> list[tuple[str, int, str]]:
    document = read(text.encode(), name="a.adoc")
    assert_blocks_fit(document)
    return shown_blocks(document)


def test_the_header_is_title_and_author_and_no_text() -> None:
    document = read(
        b"= Pump manual\nAnn Lee <ann@x.org>\nv1.2, 2024-01-01\n:product: Pump X\n\nThe *{product}*.", name="a.adoc"
    )
    assert document.text == "Pump manual\n\nThe Pump X."
    assert (document.title, document.metadata) == ("Pump manual", {"author": "Ann Lee"})
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "Pump manual")]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("*bold* _it_ `code` #mark# **b**old [.red]#x#", "bold it code mark bold x"),
        ("snake_case_name 2*3*4 a_b C++ {unknown}", "snake_case_name 2*3*4 a_b C++ {unknown}"),
        ("https://x.org[the site^] link:a.html[here] mailto:a@b.c[mail]", "the site here mail"),
        (
            "see https://x.org for <<setup,Setup>> and <<first-steps>> or xref:a.adoc#b[B]",
            "see https://x.org for Setup and first steps or B",
        ),
        ("kbd:[Ctrl+C] btn:[OK] menu:File[Save > All] icon:x[]", "Ctrl+C OK File > Save > All"),
        ("a footnote:[A note.] ((term))(((hidden,b))) [[anchor]]b", "a (A note.) term b"),
        ('H~2~O 10^5^ "`q`" &#167; {nbsp}x \\*no*', "H2O 10^5 \u201cq\u201d \u00a7 x *no*"),
        ("+*kept*+ and `+_kept_+` pass:[<b>]", "*kept* and _kept_ <b>"),
        ("image:a.png[A pump,100] one +\ntwo\nthree", "A pump one\ntwo three"),
    ],
)
def test_inline_markup_is_what_it_shows(written: str, expected: str) -> None:
    assert blocks(written) == [("paragraph", 0, expected)]


def test_lists_nest_and_keep_what_is_attached() -> None:
    text = (
        "You need:\n\n* a wrench\n** size 10,\nlong\n* [x] a hose\n+\n[source,sh]\n----\nrun  it\n----\n\n"
        "* last\n\nEnd."
    )
    assert blocks(text) == [
        ("paragraph", 0, "You need:"),
        ("item", 1, "- a wrench"),
        ("item", 2, "  - size 10, long"),
        ("item", 1, "- a hose"),
        ("code", 2, "run  it"),
        ("item", 1, "- last"),
        ("paragraph", 0, "End."),
    ]


def test_numbered_lists_count_and_terms_have_definitions() -> None:
    assert blocks(". one\n.. sub\n. two\n\n== Terms\n\nVolt:: The _supply_.\nAmpere::\n  The current\n  drawn.") == [
        ("item", 0, "1. one"),
        ("item", 1, "  1. sub"),
        ("item", 0, "2. two"),
        ("heading", 2, "Terms"),
        ("term", 0, "Volt"),
        ("definition", 1, "The supply."),
        ("term", 0, "Ampere"),
        ("definition", 1, "The current drawn."),
    ]


def test_notes_quotes_code_and_captions() -> None:
    text = (
        "NOTE: Wear gloves,\nalways.\n\n[WARNING]\n====\nNever dry.\n\n* never\n====\n\n____\nSo it is.\n____\n\n"
        ".Start it\n[source]\n----\na\n\n  <1>\n----\n\n....\nas is\n....\n\nimage::a.png[A pump]"
    )
    assert blocks(text) == [
        ("note", 0, "Note: Wear gloves, always."),
        ("note", 0, "Warning: Never dry."),
        ("item", 1, "- never"),
        ("quote", 0, "So it is."),
        ("caption", 0, "Start it"),
        ("code", 1, "a\n\n  <1>"),
        ("code", 0, "as is"),
        ("caption", 0, "A pump"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        '[cols="1,2",options="header"]\n|===\n|Part |Size\n|*Hose*\n|10\n|===',
        "|===\n|Part |Size\n\n|Hose |10\n|===",
        "[%header,format=csv]\n|===\nPart,Size\nHose,10\n|===",
        "[cols=2*,options=header]\n|===\n|Part|Size a|Hose|10\n|===",
    ],
)
def test_tables_have_their_rows_and_their_header(table: str) -> None:
    assert blocks(table) == [("header", 1, "Part | Size"), ("row", 1, "Hose | 10")]


def test_lines_are_those_of_the_file() -> None:
    document = read(b"// gone\n= Title\n\n:a: b\n\nText.\n\n* item\n", name="a.adoc")
    assert [block.line for block in document.blocks] == [2, 6, 8]


def test_directives_are_carried_out_or_left_out() -> None:
    text = (
        "= T\n:shown: 1\n\ninclude::/etc/passwd[]\n////\ncomment\n////\nifdef::shown[]\nseen\nendif::[]"
        "\nifndef::shown[]\nunseen\nendif::[]\ntoc::[]\n\n'''\n\n++++\n<b>raw</b>\n++++"
    )
    assert [text for _, _, text in blocks(text)] == ["T", "seen"]


@pytest.mark.parametrize(
    "part",
    [
        "*",
        "_a",
        "`",
        "<<",
        "[",
        "[[a",
        "link:a[",
        "((",
        "+",
        "a::",
        "* ",
        "====\n",
        "--\n",
        "|===\n",
        "|",
        "2+|",
        ". ",
        "{a",
        "pass:[",
        "footnote:[",
        "ifdef::a[]\n",
        "[a]\n",
        ".a\n",
        "^a",
        '"`',
        "https://a[",
        "\\",
    ],
)
def test_a_quarter_million_of_anything_is_read_in_time(part: str) -> None:
    content = "begin\n" + part * (250_000 // len(part)) + "\n\nend"
    assert_blocks_fit(read(content.encode(), name="a.adoc"))


@pytest.mark.parametrize("columns", ["3", '"1,1,1"', "3*"])
def test_a_cell_that_spans_rows_stands_in_each(columns: str) -> None:
    table = f"[cols={columns}]\n|===\n|Region |Month |Fee\n\n.2+|EU |May |1\n|June |2\n|US |May |3\n|===\n"
    assert read(table, name="a.adoc").text == "Region | Month | Fee\nEU | May | 1\nEU | June | 2\nUS | May | 3"


def test_emphasis_may_hold_its_sign_between_letters_and_arrows_behind_links_are_left_out() -> None:
    text = "The limit is _relay.max_clients_ or *a*b*c*, see https://example.org[here ^\u2197^]. A x_y_z and 2^10^."
    assert blocks(text)[-1][2] == "The limit is relay.max_clients or a*b*c, see here. A x_y_z and 2^10."


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("|d|delete|5", "d | delete | 5"),
        ("|10+|ten or more|6", "10+ | ten or more | 6"),
        ("|3*|three star|6", "3* | three star | 6"),
        ("|<|less|.2+", "< | less | .2+"),
        ("|C .|a stop|the end", "C . | a stop | the end"),
        ("|as d|delete|5", "as | delete | 5"),
        ("d|delete a|5 ^.^s|6", "delete | 5 | 6"),
        ("2+|both ^|6", "both |  | 6"),
        ("  3*|same", "same | same | same"),
        ("|a 2*|b", "a | b | b"),
    ],
)
def test_what_stands_before_a_bar_sets_the_next_cell_only_behind_a_blank_or_first_in_its_line(
    row: str, expected: str
) -> None:
    assert blocks(f"[cols=3]\n|===\n|A |B |C\n\n{row}\n|===\n")[-1] == ("row", 1, expected)


def test_what_is_attached_to_an_entry_ends_where_the_next_one_begins() -> None:
    text = (
        ". Moor\n+\nUse both\nropes.\n. Sign in\n+\nNOTE: Bring\nyour papers.\n* skipper\n+\nThe crew waits.\n* cook\n"
        ". Pay\n+\nEbb:: low\n\n== Words\n\nBow::\nThe front\n+\nIt is sharp.\nStern:: The back"
    )
    assert blocks(text) == [
        ("item", 0, "1. Moor"),
        ("paragraph", 1, "Use both ropes."),
        ("item", 0, "2. Sign in"),
        ("note", 1, "Note: Bring your papers."),
        ("item", 1, "  - skipper"),
        ("paragraph", 2, "The crew waits."),
        ("item", 1, "  - cook"),
        ("item", 0, "3. Pay"),
        ("term", 1, "Ebb"),
        ("definition", 2, "low"),
        ("heading", 2, "Words"),
        ("term", 0, "Bow"),
        ("definition", 1, "The front"),
        ("paragraph", 1, "It is sharp."),
        ("term", 0, "Stern"),
        ("definition", 1, "The back"),
    ]


@pytest.mark.parametrize("code", ["[source,yaml]\nboats:\n- ketch\n- yawl", "  boats:\n  - ketch\n  - yawl"])
def test_attached_code_keeps_lines_that_look_like_entries(code: str) -> None:
    shown = [("item", 0, "- Write"), ("code", 1, "boats:\n- ketch\n- yawl"), ("item", 0, "- Send")]
    assert blocks(f"* Write\n+\n{code}\n\n* Send") == shown


def test_a_paragraph_that_is_attached_to_nothing_keeps_lines_that_look_like_entries() -> None:
    assert blocks("Boats cost\n. at least\n* nothing::\nat all.") == [
        ("paragraph", 0, "Boats cost . at least * nothing:: at all.")
    ]


def test_a_list_that_is_attached_to_an_entry_ends_with_the_next_entry_of_the_list_around_it() -> None:
    text = ". Moor\n+\n* bow\n+\nFirst.\n* stern\n. Pay\n+\nEbb:: low\nFlood:: high\n. Leave"
    assert blocks(text) == [
        ("item", 0, "1. Moor"),
        ("item", 1, "- bow"),
        ("paragraph", 2, "First."),
        ("item", 1, "- stern"),
        ("item", 0, "2. Pay"),
        ("term", 1, "Ebb"),
        ("definition", 2, "low"),
        ("term", 1, "Flood"),
        ("definition", 2, "high"),
        ("item", 0, "3. Leave"),
    ]

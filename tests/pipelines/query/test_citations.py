import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.query.citations import CitationParser, Mark, Numbering, Piece, without_citations


def whole(text: str, sources: int = 9) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The text as an answer has it, the sources in order of use, and the numbers removed."""
    parser, numbering = CitationParser(sources), Numbering()
    written = numbering.written([*parser.feed(text), *parser.finish()])
    return written, numbering.order, parser.removed


@pytest.mark.parametrize(
    ("text", "written", "order"),
    [
        ("Yes [1].", "Yes [1].", (1,)),
        ("Yes [4].", "Yes [1].", (4,)),
        ("A [3], b [2], c [3].", "A [1], b [2], c [1].", (3, 2)),
        ("A [5, 2].", "A [1][2].", (5, 2)),
        ("A [5,2;7 1].", "A [1][2][3][4].", (5, 2, 7, 1)),
        ("A [2][5].", "A [1][2].", (2, 5)),
        ("A【3】.", "A[1].", (3,)),
        ("A 【 3, 4 】.", "A [1][2].", (3, 4)),
        ("A【3†source】.", "A[1].", (3,)),
        ("A 【4†L10-L12】【3†beagle.md】.", "A [1][2].", (4, 3)),
        ("A [Source 3].", "A [1].", (3,)),
        ("A [source 3, Source: 4] and [SOURCES 2; 3].", "A [1][2] and [3][1].", (3, 4, 2)),
        ("A [^3], [^4,^2].", "A [1], [2][3].", (3, 4, 2)),
        ("A.[^3]\nB.[^4]\n\n[^3]: beagle.md, `a` [^2]\n[^4]: x\nC.", "A.[1]\nB.[2]\n\nC.", (3, 4)),
        ("[^3]: a beagle.", "[1]: a beagle.", (3,)),
        ("A\uff3b3\uff0c4\uff3d.", "A[1][2].", (3, 4)),
        ("A [3\u30014].", "A [1][2].", (3, 4)),
        ("A [2-4].", "A [1][2][3].", (2, 3, 4)),
        ("A [2\N{EN DASH}3].", "A [1][2].", (2, 3)),
        ("A [2, 2].", "A [1].", (2,)),
        ("an hour a day[2]", "an hour a day[1]", (2,)),
    ],
)
def test_citations_are_renumbered_in_order_of_first_use(text: str, written: str, order: tuple[int, ...]) -> None:
    assert whole(text) == (written, order, ())


@pytest.mark.parametrize(
    ("text", "written", "removed"),
    [
        ("Yes [1], [99].", "Yes [1].", (99,)),
        ("Yes [1], [99], but; no [2]; [98].", "Yes [1], but; no [2].", (99, 98)),
        ("Yes [1], [2]; and so [99], no.", "Yes [1], [2]; and so, no.", (99,)),
        ("Yes [99].", "Yes.", (99,)),
        ("Yes [99][98] and [1].", "Yes and [1].", (99, 98)),
        ("Yes [1, 99].", "Yes [1].", (99,)),
        ("Yes [0].", "Yes.", (0,)),
        ("Yes [8-11].", "Yes [1][2].", (10, 11)),
        ("Yes [1-999999999].", "Yes [1].", (999999999,)),
        ("Yes [3-1].", "Yes [1][2].", ()),
        ("[12]", "", (12,)),
    ],
)
def test_a_number_without_a_source_is_removed_and_reported(text: str, written: str, removed: tuple[int, ...]) -> None:
    said, _, reported = whole(text)
    assert (said, reported) == (written, removed)


@pytest.mark.parametrize(
    "text",
    [
        "See [the guide](https://example.com/a[1]b) and [citation needed].",
        "See [1](https://example.com).",
        "Set `a[1] = b[2]` first.",
        "```python\nvalues[1] = values[2]\n[3]\n```\n",
        "~ `` a ` [1] `` ~",
        "- [ ] open\n- [x] done",
        "values[0] is the first",
        "[] [-1] [1.5] [1a] [a1] [,] [1,] [1--2] [[note]]",
        "an open bracket [1, 2",
        "[source] [Source code 1] [1 source] [^] [^a] [^0-9] [course 1] [1: 2] [1 source 2] [resource 1]",
        "[1†source] 【†source】 【a†b】 【1†two\nlines】",
        "【1†" + "a" * 80 + "】",
        "an open bracket [",
        r"a formula \[1] of TeX",
        "[" + "1, " * 40 + "1]",
        "two   blanks  and\ta tab ",
    ],
)
def test_text_that_only_looks_like_a_citation_is_unchanged(text: str) -> None:
    assert whole(text) == (text, (), ())


def test_an_endless_bracket_is_not_held_back_for_ever() -> None:
    parser = CitationParser(9)
    settled = parser.feed("[" + "1, " * 1000)
    assert "".join(str(piece) for piece in settled).startswith("[1, 1, 1")


def test_code_on_a_line_ends_with_it_and_the_next_line_cites() -> None:
    assert whole("a ` tick [3]\nYes [2].") == ("a ` tick [1]\nYes [2].", (3, 2), ())


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Press ` to open [3]. Then save [1].", (3, 1)),
        ("```x``` is used [3].\nSo it is [1].", (3, 1)),
        ("`` a ` b [3] [1]", (3, 1)),
        ("`" + "a" * 2000 + " [3] `b`", (3,)),
        ("Set `a[1]` and ``b ` [1]`` [3]", (3,)),
        ("```` md\n```\na[1]\n```\n````\nYes [3].", (3,)),
    ],
)
def test_backticks_that_nothing_closes_hide_no_citation(text: str, order: tuple[int, ...]) -> None:
    assert whole(text)[1] == order


def test_after_a_fence_citations_count_again() -> None:
    assert whole("```\na[1]\n```\nYes [2].")[1] == (2,)


def test_a_bracket_at_the_edge_is_buffered_until_it_is_clear() -> None:
    parser = CitationParser(9)
    assert parser.feed("Yes [") == ["Yes"]
    assert parser.feed("2") == []
    assert parser.feed("]") == []
    assert parser.feed(".") == [" ", Mark((2,)), "."]
    assert parser.feed(" Or [see") == [" Or [see"]
    assert parser.feed(" [1]") == []
    assert parser.finish() == [" ", Mark((1,))]


ANYTHING = st.text(alphabet="ab1239[]【】\uff3b\uff3d\uff0c()`,;- \n\\\N{EN DASH}", max_size=60)


def _merged(pieces: list[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged


@given(text=ANYTHING, cuts=st.lists(st.integers(0, 60)), sources=st.integers(0, 5))
def test_any_way_of_cutting_the_stream_gives_what_the_whole_gives(text: str, cuts: list[int], sources: int) -> None:
    at_once = CitationParser(sources)
    expected = _merged([*at_once.feed(text), *at_once.finish()])
    parser, found = CitationParser(sources), list[Piece]()
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        found += parser.feed(text[start:end])
    assert _merged([*found, *parser.finish()]) == expected
    assert parser.removed == at_once.removed


@given(text=st.text(alphabet="ab[]()` \n", max_size=40))
def test_text_without_numbers_is_never_changed(text: str) -> None:
    assert whole(text) == (text, (), ())


@pytest.mark.parametrize("cut", ["So it is [1", "So it is [", "So it is 【1, 2", "So it is  \t[1,"])
def test_a_citation_that_was_cut_off_is_left_out(cut: str) -> None:
    parser = CitationParser(9)
    assert "".join(map(str, [*parser.feed(cut), *parser.finish(cut_off=True)])) == "So it is"
    parser = CitationParser(9)
    assert "".join(map(str, [*parser.feed(cut), *parser.finish()])) == cut, "of a text that is whole it is text"


def test_a_citation_at_the_end_of_what_was_cut_off_is_one() -> None:
    parser = CitationParser(9)
    assert [*parser.feed("So it is [1]"), *parser.finish(cut_off=True)][-1] == Mark((1,))


@pytest.mark.parametrize(
    "text",
    [
        "[" + "1" * 20_000,
        "[" + " " * 20_000,
        "[1 " * 7000,
        "a" * 20_000,
        "a[1 " * 9000,
        "a[1 [" * 9000,
        "`\n" * 9000,
        "[sources" * 9000,
    ],
)
def test_a_document_full_of_half_citations_takes_no_time(text: str) -> None:
    began = time.process_time()
    assert without_citations(text) == text
    assert time.process_time() - began < 0.5


def test_citation_like_text_in_a_document_is_not_a_citation() -> None:
    said = "As in [3], [ 1, 2 ] and 【4-6】; not [] or [a]."
    assert without_citations(said) == "As in (3), ( 1, 2 ) and (4-6); not [] or [a]."
    assert without_citations("As in 【3†L1-L2】.") == "As in (3)."
    named = "As in [^3] and [Source 4, source: 5], [source]."
    assert without_citations(named) == "As in (^3) and (Source 4, source: 5), [source]."
    marked = "Weights [3†] were measured twice [4]."
    assert without_citations(marked) == "Weights [3†] were measured twice (4)."


@pytest.mark.parametrize(
    "code",
    [
        "name = sys.argv[1]; row = table[2][0]",
        "Then:\n    let row = rows[3]\n    total += row[1] * costs()[2]\n",
        ">>> names[1]",
        "grid[2][1] = cells[4]",
        "It is the first of them: names[0], rows[1][0], heads()[0].",
        "The path is in path_parts[1].",
        "Call it with `argv[1]` or ``argv [2]``.",
    ],
)
def test_an_index_in_the_code_of_a_document_stays(code: str) -> None:
    assert without_citations(code) == code


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Beagles live long[3] and bark[4][5].", "Beagles live long(3) and bark(4)(5)."),
        ("It runs on Node.js[2], see also (below)[1].", "It runs on Node.js(2), see also (below)(1)."),
        ("p = 0.05 [3]", "p = 0.05 (3)"),
        ("The sum = 5[3], and so on[4].", "The sum = 5(3), and so on(4)."),
        ("_Beagles_[3] bark [0].", "_Beagles_(3) bark (0)."),
        ("A tick ` and [3]\nanother ` [4]", "A tick ` and (3)\nanother ` (4)"),
        ("rows = 3\nThey bark[1].\r\n", "rows = 3\nThey bark(1).\r\n"),
    ],
)
def test_a_footnote_at_a_word_of_a_document_is_no_index(said: str, written: str) -> None:
    assert without_citations(said) == written


def test_an_interval_that_begins_with_0_is_text() -> None:
    parser = CitationParser(3)
    assert [*parser.feed("a value in [0, 1] hours [2]."), *parser.finish()] == [
        "a value in [0, 1] hours ",
        Mark((2,)),
        ".",
    ]
    assert parser.removed == ()

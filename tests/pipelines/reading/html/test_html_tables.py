"""HTML: tables."""

from __future__ import annotations

import time

import pytest

from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.html.html_pages import html_page


def test_a_table_in_a_note_stays_a_table() -> None:
    table = "<table><tr><th>Tide</th><th>Hour</th></tr><tr><td>high</td><td>6</td></tr></table>"
    assert "Tide | Hour" in html_page(f'<div class="note">{table}</div>').text
    pictured = '<table><tr><td><img alt="a flag"></td><td>Red</td><td>Danger</td></tr></table>'
    assert "a flag" in html_page(f'<div class="note">{pictured}</div>').text


def test_unmarked_names_head_a_table_of_pairs_where_they_stand_out() -> None:
    rows = "<tr><td>Lugger</td><td>two masts</td></tr><tr><td>Ketch</td><td>two masts</td></tr>"
    assert [kind for kind, *_ in shown_blocks(html_page(f"<table>{rows}</table>"))] == ["row", "row"]
    named = "<tr><td><b>Boat</b></td><td><b>Masts</b></td></tr>"
    assert shown_blocks(html_page(f"<table>{named}{rows}</table>"))[0] == ("header", 1, "Boat | Masts")


def test_unmarked_names_head_a_table_of_pairs_of_figures() -> None:
    def rows(*pairs: str) -> str:
        cells = (f"<td>{name}</td><td>{value}</td>" for name, value in (pair.split("|") for pair in pairs))
        return "<table>" + "".join(f"<tr>{pair}</tr>" for pair in cells) + "</table>"

    headed = html_page(rows("Trips|Discount", "1|10%", "2|18%", "3 or more|25%"))
    assert shown_blocks(headed)[0] == ("header", 1, "Trips | Discount")
    bounded = html_page(rows("Trip|Rest", "under 4 hours|none", "4 to 6 hours|15 minutes", "more than 6 hours|1 hour"))
    assert shown_blocks(bounded)[0] == ("header", 1, "Trip | Rest")
    priced = html_page(rows("Dish|Price (EUR)", "Sole, potatoes|28.50", "Mussels|market price"))
    assert shown_blocks(priced)[0] == ("header", 1, "Dish | Price (EUR)")
    for pairs in (("Keeper|Ida", "Height|38 m", "Built|1847"), ("Price|28.50", "Dish|Sole", "Fee|none")):
        assert "header" not in {kind for kind, _, _ in shown_blocks(html_page(rows(*pairs)))}


def test_a_table_of_asciidoc_or_docbook_has_the_headers_that_it_marks() -> None:
    rows = "<tr><td>*.boat, *.sail</td><td>Harbour 6.x (XML)</td></tr><tr><td>*.tide</td><td>Tide archive</td></tr>"
    document = html_page(f'<table class="tableblock">{rows}</table>')
    assert [kind for kind, *_ in shown_blocks(document)] == ["row", "row"]


def test_tables_have_a_header_whole_cells_and_repeated_spans() -> None:
    text = html_page(
        "<table><caption>Fees</caption><tr><th>Kind</th><th colspan=2>Fee | tax</th></tr>"
        "<tr><td rowspan=2>Dog</td><td><p>small</p><p>one</p></td><td>10</td></tr>"
        "<tr><td>big</td><td>20</td></tr></table>"
    ).text
    assert text == ("Fees\n\nKind | Fee|tax | Fee|tax\nDog | small / one | 10\nDog | big | 20")


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (["<td>A<td>b<td rowspan=2>all", "<td>B", "<td>C<td>c<td>own"], "A | b | all\nB |  | all\nC | c | own"),
        (["<td>A<td>b<td rowspan=2>all", "<td>B", "<td>C<td>c"], "A | b | all\nB |  | all\nC | c"),
        (["<td>A<td rowspan=3>b<td rowspan=2>x", "<td>B", "<td>C<td>c"], "A | b | x\nB | b | x\nC | b | c"),
        (["<td>A<td>b<td rowspan=2>all", "", "<td>C<td>c<td>own"], "A | b | all\nC | c | own"),
        (["<td rowspan=2>A<td>b", "<td>c", "<td>D<td>e"], "A | b\nA | c\nD | e"),
        (["<td>A<td>b", "<td>B", "<td>C<td>c"], "A | b\nB\nC | c"),
    ],
)
def test_a_cell_that_spans_rows_stays_in_its_column_behind_a_short_row(rows: list[str], shown: str) -> None:
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    assert html_page(f"<table>{table}</table>").text == shown


def test_a_table_has_its_caption_header_and_rows() -> None:
    document = html_page(
        "<p>Prices:</p><table><tr><td colspan=3>In euros</td></tr><tr><td></td><th>2023</th><td>2024</td></tr>"
        "<tr><td>Dog</td><td>10</td><td>12</td></tr><tr><td>Cat</td><td>8</td><td>9</td></tr></table>"
    )
    assert shown_blocks(document) == [
        ("paragraph", 0, "Prices:"),
        ("caption", 0, "In euros"),
        ("header", 1, " | 2023 | 2024"),
        ("row", 1, "Dog | 10 | 12"),
        ("row", 1, "Cat | 8 | 9"),
    ]


def test_a_header_of_two_rows_is_one() -> None:
    document = html_page(
        "<table><thead><tr><th></th><th colspan=2>Fee</th></tr><tr><th>Kind</th><th>net</th><th>gross</th></tr></thead>"
        "<tr><td>Dog</td><td>10</td><td>12</td></tr></table>"
    )
    assert document.text == "Kind | Fee: net | Fee: gross\nDog | 10 | 12"


def test_a_form_has_no_header() -> None:
    document = html_page(
        "<table><tr><td>Name: Ann</td><td>Age: 3</td></tr><tr><td>Town: Ulm</td><td>x</td></tr></table>"
    )
    assert [block.kind for block in document.blocks] == ["row", "row"]


def test_spans_beyond_measure_are_not_written_out() -> None:
    rows = f"<tr>{'<td rowspan=1000 colspan=1000>x</td>' * 50}</tr>" * 2
    assert len(html_page(f"<table>{rows}</table>").text) < 1_000_000


def test_tables_that_only_arrange_the_page_become_its_blocks() -> None:
    inner = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    document = html_page(f"<table><tr><td><h1>News</h1></td></tr><tr><td>{inner}</td></tr></table>")
    assert document.text == "News\n\na | b\n1 | 2"
    assert document.headings
    beside = "<td><h3>Regatta</h3><p>On Sunday.</p></td><td><h3>Ferry</h3><p>It rests.</p></td>"
    assert html_page(f"<table><tr>{beside}</tr></table>").text == "Regatta\n\nOn Sunday.\n\nFerry\n\nIt rests."


def test_headings_of_a_cell_are_looked_at_once() -> None:
    started = time.process_time()
    document = html_page(f"<table><tr><td>{'<h2>Ferry</h2>' * 10_000}</td><td>Boat</td></tr></table>")
    assert time.process_time() - started < 20
    assert document.text.endswith("| Boat")


@pytest.mark.parametrize("first", ["<td rowspan=2>Region</td>", "<td></td>"])
def test_groups_over_columns_are_part_of_their_names(first: str) -> None:
    groups = f"<tr>{first}<td colspan=2>2023</td><td colspan=2>2024</td></tr>"
    names = "<td>Q1</td><td>Q2</td><td>Q1</td><td>Q2</td>"
    names = f"<tr>{'' if 'rowspan' in first else '<td>Region</td>'}{names}</tr>"
    rows = "<tr><td>EU</td><td>1</td><td>2</td><td>3</td><td>4</td></tr><tr><td>US</td><td>5</td><td>6</td></tr>"
    assert shown_blocks(html_page(f"<table>{groups}{names}{rows}</table>")) == [
        ("header", 1, "Region | 2023: Q1 | 2023: Q2 | 2024: Q1 | 2024: Q2"),
        ("row", 1, "EU | 1 | 2 | 3 | 4"),
        ("row", 1, "US | 5 | 6"),
    ]


def test_a_table_whose_rows_have_names_has_no_header() -> None:
    rows = "<tr><th>Weight</th><td>two kilos</td></tr><tr><th>Colour</th><td>red</td></tr>"
    assert shown_blocks(html_page(f"<table>{rows}</table>")) == [
        ("row", 1, "Weight | two kilos"),
        ("row", 1, "Colour | red"),
    ]


_BERTHS = "<tr><th>Boat</th><th>Summer</th><th>Winter</th></tr>"


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ("<tr><td>Trawler<td colspan=2>90 euros</tr>", "Trawler | 90 euros | 90 euros"),
        ("<tr><td colspan=2>Raft<td>none</tr>", "Raft | Raft | none"),
        ("<tr><td rowspan=2>Yacht<td>1<td>2</tr><tr><td colspan=2>3</tr>", "Yacht | 1 | 2\nYacht | 3 | 3"),
        ("<tr><td>Ketch<td rowspan=2 colspan=2>9</tr><tr><td>Yawl</tr>", "Ketch | 9 | 9\nYawl | 9 | 9"),
        ("<tr><td colspan=2>To pay<td>90.50</tr>", "To pay |  | 90.50"),
        ("<tr><td colspan=2>To pay<td>EUR 90</tr>", "To pay |  | EUR 90"),
        ("<tr><td colspan=3>With a mast</tr>", "With a mast"),
        ("<tr><td><td colspan=2>With a mast</tr>", " | With a mast"),
        (f"<tr><td>Raft<td colspan=2>{'never ' * 40}</tr>", f"Raft | {'never ' * 40}".rstrip()),
    ],
)
def test_a_value_stands_under_each_named_column_that_its_cell_spans(rows: str, shown: str) -> None:
    text = html_page(f"<table>{_BERTHS}<tr><td>Dinghy<td>5<td>4</tr>{rows}</table>").text
    assert text == f"Boat | Summer | Winter\nDinghy | 5 | 4\n{shown}"


def test_a_value_stands_once_under_a_name_that_spans_columns_and_in_a_table_without_names() -> None:
    named = "<tr><th>Boat</th><th colspan=2>Price</th></tr><tr><td>Dinghy<td colspan=2>5 euros</tr>"
    assert html_page(f"<table>{named}</table>").text == "Boat | Price | Price\nDinghy | 5 euros"
    form = "<tr><td>Boat: Dinghy<td>Berth: 5</tr><tr><td>Owner: Ada<td colspan=2>Town: Ulm</tr>"
    assert html_page(f"<table>{form}</table>").text == "Boat: Dinghy | Berth: 5\nOwner: Ada | Town: Ulm"

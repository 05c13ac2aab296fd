"""HTML: what only a style sheet sets apart."""

from __future__ import annotations

import time

import pytest

from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.html.html_pages import html_page


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<div><span>Adult</span><span>£5.60</span></div>", "Adult £5.60"),
        ("<p><b>Adult</b><b>€5</b></p>", "Adult €5"),
        ("<div><span>Winter (all days)</span><span>Closed</span></div>", "Winter (all days) Closed"),
        ("<ul><li><b>Tea</b><span>Two kinds</span></li></ul>", "- Tea Two kinds"),
        ("<div><span>£</span><span>45</span><span>.50</span></div>", "£45.50"),
        ("<div><span>4</span><span>2</span><span>7</span></div>", "427"),
        ("<div><b>H</b><i>ello</i></div>", "Hello"),
        ("<p><span>O</span><span>NCE</span> <b>Mc</b><b>Donald</b> H<sub>2</sub>O</p>", "ONCE McDonald H2O"),
        ("<div><code><span>Sail</span><span>Boat</span></code></div>", "SailBoat"),
        ("<pre><span>Sail</span><span>Boat</span></pre>", "SailBoat"),
    ],
)
def test_words_side_by_side_are_apart_and_parts_of_words_are_not(body: str, shown: str) -> None:
    assert html_page(body).text == shown


def _row(*cells: str, tag: str = "span", row: str = "div") -> str:
    return f"<{row}>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + f"</{row}>"


@pytest.mark.parametrize(("tag", "row"), [("span", "div"), ("div", "div"), ("span", "li"), ("b", "li")])
def test_rows_of_figures_are_a_table(tag: str, row: str) -> None:
    rows = "".join(_row(*cells, tag=tag, row=row) for cells in [("Dinghy", "£5"), ("Raft", "free"), ("Yawl", "£9")])
    holder = "ul" if row == "li" else "div"
    assert shown_blocks(html_page(f"<p>Fees</p><{holder}>{rows}</{holder}><p>Pay.</p>"))[1:-1] == [
        ("row", 1, "Dinghy | £5"),
        ("row", 1, "Raft | free"),
        ("row", 1, "Yawl | £9"),
    ]


def test_a_grid_has_the_header_that_it_marks_or_looks_like() -> None:
    rows = _row("Dinghy", "£5", "") + _row("Yawl", "£9", "£70")
    shown = [("header", 1, "Boat | Day | Month"), ("row", 1, "Dinghy | £5"), ("row", 1, "Yawl | £9 | £70")]
    for head in (
        '<div class="row head"><span>Boat</span><span>Day</span><span>Month</span></div>',
        _row(*shown[0][2].split(" | ")),
    ):
        assert shown_blocks(html_page(f"<div>{head}{rows}</div>")) == shown


@pytest.mark.parametrize(
    "body",
    [
        f"<div>{_row('Dinghy', 'two oars') * 3}</div>",
        "<div>" + "<div><p>Dinghies came in 1910.</p><p>Yawls came in 1920.</p></div>" * 3 + "</div>",
        f"<div>{_row('Dinghy', '5 ' + 'long ' * 40) * 3}</div>",
        f"<ul><li>Dinghy <b>5</b></li>{_row('Yawl', '9', row='li') * 2}</ul>",
        f"<div>{_row('Page 1', 'Page 2', tag='a') * 3}</div>",
        f"<ol>{_row('Row 2 miles', 'Rest 1 hour', row='li') * 3}</ol>",
    ],
)
def test_other_rows_are_no_table(body: str) -> None:
    assert not {"row", "header"}.intersection(kind for kind, *_ in shown_blocks(html_page(body)))


def test_cards_of_people_keep_name_role_and_words_in_order() -> None:
    cards = "".join(
        f"<div class=card><img src=a.jpg><h4>{name}</h4><p>{role}</p><p>{more}</p></div>"
        for name, role, more in [
            ("Mrs Ida Fell", "Harbour master", "Berths: ida@kelmouth.example"),
            ("Ben", "Crew", "Mon"),
        ]
    )
    assert [shown[2] for shown in shown_blocks(html_page(f"<h1>Line</h1><div>{cards}</div>"))] == [
        "Line", "Mrs Ida Fell", "Harbour master", "Berths: ida@kelmouth.example", "Ben", "Crew", "Mon",
    ]  # fmt: skip


def test_any_number_of_rows_is_read_in_time() -> None:
    started = time.process_time()
    html_page(f"<div>{_row('Dinghy', '£5') * 3_000}</div>")
    html_page("<div><b>Aa</b><i>" * 200 + "B" + "<b>Aa</b>" * 6_000)
    assert time.process_time() - started < 20

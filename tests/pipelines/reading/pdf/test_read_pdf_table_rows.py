"""PDF: which lines are one row of a table, and which of them name its columns."""

from __future__ import annotations

import re
import time

import pytest

from pipelines.reading import read
from pipelines.reading.pdf.tableheads import NUMERIC
from pipelines.reading.pdf.tablerows import _FIGURE
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed, ruled


def blocks_of(*parts: bytes | list[bytes]) -> list[tuple[str, int, str]]:
    drawn = [each for part in parts for each in (part if isinstance(part, list) else [part])]
    return shown_blocks(read(pdf([drawn]), name="a.pdf"))


def row(y: float, *cells: tuple[float, str], font: str = "F1") -> list[bytes]:
    return [placed(x, y, text, size=10, font=font) for x, text in cells]


def lines(*places: tuple[float, float, float, float]) -> bytes:
    return "\n".join(f"{x0:g} {y0:g} m {x1:g} {y1:g} l S" for x0, y0, x1, y1 in places).encode()


def test_rows_without_a_rule_between_them_do_not_name_the_columns() -> None:
    people = [
        ("Adler", "Ruth", "120.50"),
        ("Brandt", "Ole", "99.00"),
        ("Costa", "Ines", "14.25"),
        ("Dahl", "Per", "7.00"),
    ]
    walls = [(x, 716, x, 640) for x in (50, 200, 350, 500)]
    frame = lines((50, 716, 500, 716), (50, 640, 500, 640), *walls)
    head = row(704, (54, "Surname"), (204, "First name"), (354, "Amount"))
    rows = [row(690 - 12 * at, (54, a), (204, b), (354, c)) for at, (a, b, c) in enumerate(people)]
    shown = blocks_of(frame, head, *rows)
    assert shown[0] == ("header", 1, "Surname | First name | Amount")
    assert [text for kind, _, text in shown if kind == "row"] == [" | ".join(person) for person in people]


@pytest.mark.parametrize("wall", [110.6, 113])
def test_cells_that_nearly_touch_are_parted_by_the_rule_between_them(wall: float) -> None:
    grid = ruled([50, wall, 140, 200], [716, 700, 684, 668])
    head = row(704, (54, "Ship"), (116, "Cars"), (144, "Harbour"), font="F2")
    shown = blocks_of(grid, head, row(688, (58, "Stormpetrel"), (116, "12"), (144, "Carrick")),
                      row(672, (54, "Shag"), (116, "0"), (144, "Porthmor")))  # fmt: skip
    assert [text for _, _, text in shown] == [
        "Ship | Cars | Harbour",
        "Stormpetrel | 12 | Carrick",
        "Shag | 0 | Porthmor",
    ]


def test_a_rule_that_touches_a_word_parts_nothing() -> None:
    walls = [50, 109, 200, 300]
    shown = blocks_of(
        ruled(walls, [716, 700, 684, 668]),
        row(704, (54, "Name"), (204, "Town")),
        row(688, (54, "Great Northern"), (204, "Cork")),
        row(672, (54, "Express"), (114, "late"), (204, "Tralee")),
    )
    assert any(text.startswith("Great Northern |") for _, _, text in shown)


def test_the_first_line_of_a_wide_cell_at_the_top_is_no_title_of_the_table() -> None:
    shown = blocks_of(
        ruled([50, 110, 400, 460], [716, 688, 672]),
        row(708, (114, "A logger for rivers and lakes")),
        row(702, (54, "300-110"), (404, "2,310")),
        row(696, (114, "without a sensor for oxygen")),
        row(676, (54, "300-900"), (114, "Batteries"), (404, "68")),
    )
    assert ("row", 1, "300-110 | A logger for rivers and lakes without a sensor for oxygen | 2,310") in shown


KNOTS = [
    ("bowline", "holds a mooring rope"),
    ("reef knot", "ties a sail, not two ropes"),
    ("figure of eight", "stops a rope"),
    ("clove hitch", "hangs up a fender"),
    ("sheet bend", "joins two ropes of another thickness"),
]
WRAPPED = [
    ("for those who sail alone and at", "the harbour master keeps the keys of all"),
    ("night, without an engine or with", "huts and lends them to who asks, for as"),
    ("one that does not run well, as in", "long as the boat lies at the pier, from the"),
    ("autumn, when the wind turns often", "first of May until the last day of October,"),
    ("to the north", "and also on Sundays"),
]


@pytest.mark.parametrize(("cells", "is_parted"), [(KNOTS, True), (KNOTS[:4], False), (WRAPPED, False)])
def test_lines_without_figures_between_two_rules_are_rows_unless_text_is_wrapped_there(
    cells: list[tuple[str, str]], is_parted: bool
) -> None:
    shown = blocks_of(
        ruled([50, 230, 450], [716, 700, 696 - 12 * len(cells)]),
        row(704, (54, "Knot"), (234, "Use"), font="F2"),
        *(row(688 - 12 * at, (54, name), (234, use)) for at, (name, use) in enumerate(cells)),
    )
    rows = [text for kind, _, text in shown if kind == "row"]
    assert rows == ([" | ".join(each) for each in cells] if is_parted else [rows[0]])


FACTS = [("Size", "76 mm wide"), ("Weight", "1.9 kg"), ("Housing", "titanium"), ("Power", "4 lithium cells")]


def test_a_grid_of_facts_has_no_header() -> None:
    facts = [row(704 - 16 * at, (54, name), (154, fact)) for at, (name, fact) in enumerate(FACTS)]
    shown = blocks_of(ruled([50, 150, 300], [716, 700, 684, 668, 652]), *facts)
    assert shown == [("row", 1, f"{name} | {fact}") for name, fact in FACTS]


@pytest.mark.parametrize(("number", "font"), [("QX-40417", "F1"), ("of the pier", "F2")])
def test_a_grid_of_labels_has_no_header(number: str, font: str) -> None:
    told = [("Number", number), ("Skipper", "Ida Fjeld"), ("Berth", "at the north end"), ("Keeper", "Tor Holm")]
    labels = [
        part
        for at, (label, value) in enumerate(told)
        for part in (row(704 - 16 * at, (54, label), font=font), row(704 - 16 * at, (154, value)))
    ]
    shown = blocks_of(ruled([50, 150, 300], [716, 700, 684, 668, 652]), *labels)
    assert shown == [("row", 1, f"{label} | {value}") for label, value in told]


def test_names_of_columns_that_nearly_touch_are_parted_where_cells_begin() -> None:
    bolts = [(f"B10{at:02}", f"Hex bolt M{at}", f"{at}.50") for at in range(12)]
    head = row(704, (54, "Article no."), (104, "Description"), (304, "Price"))
    rows = [row(690 - 14 * at, (54, a), (104, b), (304, c)) for at, (a, b, c) in enumerate(bolts)]
    assert blocks_of(head, *rows)[0] == ("header", 1, "Article no. | Description | Price")


def test_cells_with_labels_have_no_header() -> None:
    shown = blocks_of(
        row(704, (54, "Bramble Print"), (304, "INVOICE"), font="F2"),
        row(690, (54, "Lindenweg 14"), (304, "Invoice no.: 2026-0418")),
        row(676, (54, "Aldmoor"), (304, "Date: 12 May 2026")),
        row(662, (54, "Customs"), (304, "Due: 11 June 2026")),
    )
    assert [kind for kind, _, _ in shown] == ["row"] * 4


def test_cells_in_the_middle_of_a_taller_row_belong_to_it() -> None:
    shown = blocks_of(
        row(700, (54, "Pos."), (104, "Description"), (354, "Qty"), (454, "Amount")),
        row(684, (54, "1"), (104, "Cordless drill with batteries"), (354, "4"), (454, "756.00")),
        row(668, (54, "2"), (104, "Bit set of 32 pieces"), (354, "10"), (454, "145.00")),
        row(652, (104, "Dust extractor,")),
        row(645, (54, "3"), (354, "1"), (454, "412.00")),
        row(638, (104, "including its hose")),
        row(622, (54, "4"), (104, "Work bench"), (354, "2"), (454, "90.00")),
    )
    assert [text for _, _, text in shown] == [
        "Pos. | Description | Qty | Amount",
        "1 | Cordless drill with batteries | 4 | 756.00",
        "2 | Bit set of 32 pieces | 10 | 145.00",
        "3 | Dust extractor, including its hose | 1 | 412.00",
        "4 | Work bench | 2 | 90.00",
    ]


def test_a_name_in_two_lines_has_the_figures_of_the_second() -> None:
    shown = blocks_of(
        row(700, (54, "Kind of ship"), (304, "2021"), (404, "2022")),
        row(686, (54, "Ferries"), (304, "14"), (404, "15")),
        row(672, (54, "Tugs and other small")),
        row(658, (60, "vessels of the harbour"), (304, "31"), (404, "29")),
        row(644, (54, "Tankers"), (304, "8"), (404, "9")),
    )
    assert ("row", 1, "Tugs and other small vessels of the harbour | 31 | 29") in shown
    assert ("row", 1, "Tankers | 8 | 9") in shown


def test_sums_below_the_last_row_are_rows_of_their_own() -> None:
    shown = blocks_of(
        row(700, (54, "Pos."), (104, "Description"), (354, "Price"), (454, "Amount")),
        row(684, (54, "1"), (104, "Cordless drill"), (354, "189.00"), (454, "756.00")),
        row(668, (54, "2"), (104, "Bit set of 32 pieces"), (354, "14.50"), (454, "145.00")),
        row(652, (354, "Subtotal"), (454, "901.00")),
        row(636, (354, "Tax"), (454, "180.20")),
    )
    assert [text for kind, _, text in shown if kind == "row"] == [
        "1 | Cordless drill | 189.00 | 756.00",
        "2 | Bit set of 32 pieces | 14.50 | 145.00",
        " |  | Subtotal | 901.00",
        " |  | Tax | 180.20",
    ]


def test_an_error_in_brackets_belongs_to_the_figure_above_it() -> None:
    shown = blocks_of(
        row(700, (54, "Variable"), (304, "Model A"), (404, "Model B")),
        row(686, (54, "Distance"), (304, "0.52"), (404, "0.49")),
        row(672, (304, "(0.11)"), (404, "(0.10)")),
        row(658, (54, "Depth"), (304, "1.30"), (404, "1.28")),
        row(644, (304, "(0.40)"), (404, "(0.39)")),
    )
    assert ("row", 1, "Distance | 0.52 (0.11) | 0.49 (0.10)") in shown


def test_a_bold_sum_below_the_header_is_a_row() -> None:
    shown = blocks_of(
        lines(
            (50, 712, 500, 712), (50, 694, 500, 694), (50, 636, 500, 630), *((x, 712, x, 630) for x in (50, 300, 500))
        ),
        row(700, (54, "Kind of ship"), (304, "Calls"), font="F2"),
        row(684, (54, "All ships"), (304, "53"), font="F2"),
        row(670, (54, "Ferries"), (304, "14")),
        row(656, (54, "Tugs"), (304, "31")),
        row(642, (54, "Tankers"), (304, "8")),
    )
    assert [each for each in shown if each[0] != "row"] == [("header", 1, "Kind of ship | Calls")]
    assert shown[1] == ("row", 1, "All ships | 53")


@pytest.mark.parametrize("pattern", [_FIGURE, NUMERIC])
@pytest.mark.parametrize("text", ["1" * 50_000 + "x", "1.," * 17_000 + "x"])
def test_a_long_cell_is_soon_known_to_be_no_figure(pattern: re.Pattern[str], text: str) -> None:
    began = time.process_time()
    assert pattern.fullmatch(text) is None
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("label", ["Phone: 12", "Default: 80"])
def test_cells_with_the_same_label_keep_the_names_above_them(label: str) -> None:
    shown = blocks_of(
        row(704, (54, "Name"), (204, "Remark"), font="F2"),
        *(row(690 - 14 * at, (54, f"north{at}"), (204, f"{label}{at}")) for at in range(4)),
    )
    assert shown[0] == ("header", 1, "Name | Remark")


def test_a_row_with_the_units_of_those_below_it_names_no_columns() -> None:
    grid = ruled([50, 90, 250, 400], [716, 700, 684, 668])
    parts = [("A.", "Length over all", "9 m 40 cm"), ("B.", "Width", "3 m 10 cm"), ("C.", "Draught", "1 m 20 cm")]
    rows = [row(704 - 16 * at, (54, a), (94, b), (254, c)) for at, (a, b, c) in enumerate(parts)]
    assert blocks_of(grid, *rows) == [("row", 1, " | ".join(part)) for part in parts]


def test_dashes_for_nothing_and_signs_of_money_make_no_columns_wider_or_more() -> None:
    head = [
        row(704, (300, "Repaid"), (400, "Lent"), (500, "Left")),
        row(692, (300, "early"), (400, "in all"), (500, "at end")),
        row(680, (54, "(in thousands)"), (300, "loans"), (400, "loans"), (500, "loans")),
    ]
    loans = [
        ("Boats", "$", "24", "$", "-", "$", "397"),
        ("Engines", "", "5", "", "12", "", "124"),
        ("Sails", "", "-", "", "4", "", "2"),
        ("Ropes", "", "3", "", "7", "", "10"),
    ]
    places = (54, 290, 310, 390, 410, 490, 510)
    rows = [
        row(666 - 12 * at, *[(x, cell) for x, cell in zip(places, cells, strict=True) if cell])
        for at, cells in enumerate(loans)
    ]
    assert blocks_of(*head, *rows) == [
        ("header", 1, "(in thousands) | Repaid early loans | Lent in all loans | Left at end loans"),
        ("row", 1, "Boats | $ 24 | $ - | $ 397"),
        ("row", 1, "Engines | 5 | 12 | 124"),
        ("row", 1, "Sails | - | 4 | 2"),
        ("row", 1, "Ropes | 3 | 7 | 10"),
    ]


def test_signs_beside_words_stay_in_a_column_of_their_own() -> None:
    inns = [("Anchor", "$", "Northport"), ("Bell", "$", "Southport"), ("Crown", "$", "Westport")]
    rows = [row(704 - 12 * at, (54, inn), (200, price), (300, town)) for at, (inn, price, town) in enumerate(inns)]
    assert [text for _, _, text in blocks_of(*rows)] == [" | ".join(inn) for inn in inns]


def test_an_item_with_a_figure_behind_its_dash_is_no_empty_cell() -> None:
    told = [
        "The guild keeps a book of all that is lent to",
        "those who sail for it, and each of them signs",
        "below what is written there before the boat is",
        "untied; whatever is lost has to be paid before",
        "the next trip, and the book is read aloud once",
        "a year, when all of the guild sit at one table",
    ]
    lent = ["5 boats with their sails", "12 long coils of rope", "3 lamps and oil for them", "40 hooks for mackerel",
            "2 nets that reach far down", "7 oars of ash and of fir"]  # fmt: skip
    written = [row(704 - 13 * at, (54, text), (320, "-"), (334, lent[at])) for at, text in enumerate(told)]
    shown = blocks_of(*written)
    assert [kind for kind, _, _ in shown] == ["paragraph"] + ["item"] * 6
    assert shown[1][2] == "- 5 boats with their sails"


def test_a_header_of_many_lines_ends_with_the_name_of_the_labels() -> None:
    names = [(200, "Share"), (300, "Mean"), (400, "Rate")]
    head = [row(704 - 12 * at, *[(x, f"{name}{at}") for x, name in names]) for at in range(5)]
    labels = row(644, (54, "Harbour"), (200, "a"), (300, "b"), (400, "c"))
    rows = [row(632 - 12 * at, (54, name), (200, "1"), (300, "2"), (400, "3")) for at, name in enumerate("ABCD")]
    shown = blocks_of(*head, labels, *rows)
    assert [kind for kind, _, _ in shown] == ["header"] + ["row"] * 4
    assert shown[0][2].startswith("Harbour | Share0 Share1 Share2 Share3 Share4 a | ")


def test_letters_with_what_they_stand_for_have_no_header() -> None:
    flags = [("F", "Floating"), ("f", "sunk"), ("M", "Moored"), ("m", "adrift")]
    rows = [row(704 - 16 * at, (54, flag), (154, meaning)) for at, (flag, meaning) in enumerate(flags)]
    shown = blocks_of(ruled([50, 150, 300], [716, 700, 684, 668, 652]), *rows)
    assert shown == [("row", 1, f"{flag} | {meaning}") for flag, meaning in flags]


def airy(y: float, prices: list[tuple[str, str, str]], step: float = 30) -> list[bytes]:
    rows = (
        row(y - step * at, (60, code), (100, name), (400 - 5 * len(price), price))
        for at, (code, name, price) in enumerate(prices)
    )
    return [drawn for each in rows for drawn in each]


def test_rows_far_apart_are_a_table_where_their_cells_stand_below_each_other() -> None:
    prices = [("K1", "Kayak with paddle", "$14.50"), ("K2", "Kayak for two", "$21.00"), ("R1", "Raft", "$135.00")]
    head = row(730, (60, "Code"), (100, "Boat"), (375, "A day"), font="F2")
    shown = blocks_of(head, airy(700, prices))
    assert shown == [
        ("header", 1, "Code | Boat | A day"),
        ("row", 1, "K1 | Kayak with paddle | $14.50"),
        ("row", 1, "K2 | Kayak for two | $21.00"),
        ("row", 1, "R1 | Raft | $135.00"),
    ]


def test_a_heading_far_above_a_table_is_not_its_first_row() -> None:
    heading = [placed(60, 740, "2.2", size=13, font="F2"), placed(100, 740, "Boats to let", size=13, font="F2")]
    prices = [("K1", "Kayak with paddle", "$14.50"), ("K2", "Kayak for two", "$21.00"), ("R1", "Raft", "$135.00")]
    shown = blocks_of(heading, airy(700, prices, 14))
    assert shown[0][0] == "heading"
    assert [kind for kind, _, _ in shown[1:]] == ["row"] * 3


def test_lines_far_apart_without_common_edges_are_no_table() -> None:
    shown = blocks_of(
        row(700, (60, "Kayaks"), (300, "are let by the day")),
        row(670, (90, "Rafts"), (340, "only to groups of six")),
        row(640, (75, "Canoes"), (270, "need a deposit of $50")),
    )
    assert not [text for kind, _, text in shown if kind in ("header", "row")]


@pytest.mark.parametrize("font", ["F1", "F2"])
def test_the_names_of_columns_that_the_next_page_repeats_are_not_a_row(font: str) -> None:
    first = [("K1", "Kayak with paddle", "$14.50"), ("K2", "Kayak for two", "$21.00"), ("K3", "Canoe", "$19.00")]
    second = [("R1", "Raft", "$135.00"), ("R2", "Raft with oars", "$150.00"), ("R3", "Rope", "$2.00")]
    pages = [
        [*row(150, (60, "Code"), (100, "Boat"), (375, "A day"), font=font), *airy(136, first, 14)],
        [*row(740, (60, "Code"), (100, "Boat"), (375, "A day"), font=font), *airy(726, second, 14)],
    ]
    shown = shown_blocks(read(pdf(pages), name="a.pdf"))
    assert [kind for kind, _, _ in shown] == ["header"] + ["row"] * 6
    assert shown[4] == ("row", 1, "R1 | Raft | $135.00")


NOTES = [
    "All fares are those of the summer and are paid on board in coins or by card",
    "Children below the age of six travel free of charge on every one of these lines",
]


def framed(*last: list[bytes]) -> list[tuple[str, int, str]]:
    """The blocks of a table of four columns in one frame, with other lines at its foot."""
    grid = ruled([50, 500], [740, 600]) + lines(*((x, 740, x, 660) for x in (150, 250, 350)))
    head = row(728, (54, "Line"), (154, "Cars"), (254, "Guests"), (354, "Fare"), font="F2")
    fares = [("Vik", "40", "220", "4.00"), ("Lund", "65", "380", "6.50"), ("Berg", "12", "90", "2.00")]
    rows = [row(714 - 14 * at, *zip((54, 154, 254, 354), fare, strict=True)) for at, fare in enumerate(fares)]
    return blocks_of(grid, head, *rows, *last)


def test_notes_at_the_foot_of_a_table_are_text() -> None:
    shown = framed(*(row(640 - 12 * at, (54, text)) for at, text in enumerate(NOTES)))
    assert [text for kind, _, text in shown if kind == "row"][-1] == "Berg | 12 | 90 | 2.00"
    assert " ".join(text for kind, _, text in shown if kind in ("note", "paragraph")) == " ".join(NOTES)


def test_a_long_cell_at_the_foot_of_a_table_is_no_note() -> None:
    last = row(672, (54, "Moor"), (154, "8"), (254, "40"), (354, "1.50 on weekdays only"))
    assert framed(last)[-1] == ("row", 1, "Moor | 8 | 40 | 1.50 on weekdays only")


def test_the_rest_of_a_cell_over_several_columns_is_no_note() -> None:
    last = [row(668, (54, "Rules:"), (154, "On board of all of these lines"))]
    last += [row(656 - 12 * at, (154, text[:58])) for at, text in enumerate(NOTES)]
    kind, _, text = framed(*last)[-1]
    assert (kind, text.split(" | ")[0]) == ("row", "Rules:")
    assert NOTES[1][:58] in text

"""PDF: lists whose bullets are drawn, as browsers do, and lines that begin with a label or a number."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import chain
from math import cos, pi, sin

import pytest

from pipelines.reading import read
from pipelines.reading.pdf.bullets import with_bullets_on_lines
from pipelines.reading.pdf.glyphs import Word
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed, ruled

ITEMS = ["Old charts run out of print in June", "No pilot knows the northern channel", "Tides are read by hand"]


def blocks_of(*drawn: bytes) -> list[tuple[str, int, str]]:
    return shown_blocks(read(pdf([drawn]), name="a.pdf"))


def below(
    lines: Sequence[str], *, top: float = 700, step: float = 14, left: float = 50, size: float = 10, font: str = "F1"
) -> list[bytes]:
    return [placed(left, top - step * at, line, size=size, font=font) for at, line in enumerate(lines)]


def disc(x: float, y: float, radius: float = 2.0) -> bytes:
    """A filled disc of 48 straight parts around a place."""
    corners = [(x + radius * cos(pi * at / 24), y + radius * sin(pi * at / 24)) for at in range(48)]
    path = [f"{across:g} {up:g} {'l' if at else 'm'}" for at, (across, up) in enumerate(corners)]
    return " ".join([*path, "f"]).encode()


def square(x: float, y: float, side: float = 4) -> bytes:
    return f"{x - side / 2:g} {y - side / 2:g} {side:g} {side:g} re f".encode()


@pytest.mark.parametrize("bullet", [disc, square], ids=["disc", "square"])
def test_bullets_that_are_drawn_begin_items(bullet: Callable[[float, float], bytes]) -> None:
    lead = placed(50, 700, "The survey has three causes:")
    items = [placed(74, 682 - 16 * at, text) for at, text in enumerate(ITEMS)]
    dots = [bullet(63, 686 - 16 * at) for at in range(len(ITEMS))]
    assert blocks_of(lead, *items, *dots) == [
        ("paragraph", 0, "The survey has three causes:"),
        *(("item", 1, f"- {text}") for text in ITEMS),
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param(square(63, 686, 11), id="box to be ticked"),
        pytest.param(disc(20, 686), id="far from the line"),
        pytest.param(disc(63, 681), id="on the baseline"),
        pytest.param(disc(80, 686), id="inside of a word"),
    ],
)
def test_other_drawings_are_no_bullets(drawn: bytes) -> None:
    text = "Old charts run out of print in June"
    assert blocks_of(placed(74, 682, text), drawn) == [("paragraph", 0, text)]


def test_lines_with_labels_are_not_one_paragraph() -> None:
    lines = ["Present: Ada Moor, Piotr Lang, Aisha Bello, Conor Daly", "Apologies: Lukas Brandt", "pH (20 C): 1.2"]
    assert [text for _, _, text in blocks_of(*below(lines))] == lines


def test_a_sentence_with_a_colon_in_its_second_line_goes_on() -> None:
    lines = [
        "Note: the harbour is closed at night, and they know",
        "this rule: nobody enters after ten without a light.",
    ]
    assert [text for _, _, text in blocks_of(*below(lines))] == [" ".join(lines)]


BODY = [f"Line {at} of the text that is below all of the titles" for at in range(4)]


def titles_of(*titles: str) -> list[str]:
    shown = blocks_of(*below(titles, size=14, font="F2"), *below(BODY, top=600))
    return [text for kind, _, text in shown if kind == "heading"]


def test_a_title_below_a_title_has_a_number_of_its_own() -> None:
    assert titles_of("2 Methods", "2.1 Sites", "2.2 Samples") == ["2 Methods", "2.1 Sites", "2.2 Samples"]


def test_a_title_goes_on_with_a_year() -> None:
    assert titles_of("3 Outlook for the years", "2027 and 2028") == ["3 Outlook for the years 2027 and 2028"]


def test_two_lines_far_apart_on_a_slide_are_two_paragraphs() -> None:
    first = below(["Kickoff on 8 September", "Nadia Okafor"], step=40, size=18)
    text = [
        "The old pier is closed and",
        "the new one is not yet open,",
        "so that ferries use the mole",
        "until July.",
    ]
    shown = shown_blocks(read(pdf([first, below(text, step=21, size=18)]), name="a.pdf"))
    assert [shown_text for _, _, shown_text in shown] == ["Kickoff on 8 September", "Nadia Okafor", " ".join(text)]


def test_a_bold_name_further_out_ends_the_text_above_it() -> None:
    drawn = [
        *below(["endpoint"], top=700, font="F2"),
        *below(["The address of the store. There is none."], top=686, left=80),
        *below(["region"], top=672, font="F2"),
        *below(["The region of the bucket, such as north."], top=658, left=80),
    ]
    shown = [text for _, _, text in blocks_of(*drawn, *below(BODY, top=500))]
    assert shown[:4] == [
        "endpoint",
        "The address of the store. There is none.",
        "region",
        "The region of the bucket, such as north.",
    ]


def test_a_bold_title_below_a_paragraph_of_one_line_is_a_heading() -> None:
    titles = ["1. Berths", "2. Fees", "3. Keys"]
    text = "Each boat has one of its own, which the harbour master gives out."
    drawn = [
        below([title], top=700 - 28 * at, font="F2") + below([text], top=686 - 28 * at)
        for at, title in enumerate(titles)
    ]
    shown = blocks_of(*chain.from_iterable(drawn))
    assert shown == [block for title in titles for block in (("heading", 1, title), ("paragraph", 0, text))]


def test_bold_words_at_the_beginning_of_a_line_go_on_with_their_sentence() -> None:
    drawn = [*below(["Nobody may leave the harbour without the"], top=700), *below(["Pilot Book"], top=686, font="F2")]
    assert [text for _, _, text in blocks_of(*drawn)] == ["Nobody may leave the harbour without the Pilot Book"]


def test_a_list_goes_on_behind_the_code_of_an_item() -> None:
    drawn = [
        *below(["1. Log in.", "2. Begin the copy:"], left=60),
        *below(["anchor copy old new"], top=668, left=80, font="F3"),
        *below(["3. Run it again."], top=650, left=60),
    ]
    shown = blocks_of(*drawn, *below(BODY, top=500))
    assert [text for kind, _, text in shown if kind == "item"] == [
        "1. Log in.",
        "2. Begin the copy:",
        "3. Run it again.",
    ]


def test_prose_with_numbers_at_the_beginning_of_lines_is_one_paragraph() -> None:
    lines = [
        "12 ferries lie at the pier on the north side, and some",
        "13 more of them lie at the outer buoys.",
    ]
    assert [text for _, _, text in blocks_of(*below(lines))] == [" ".join(lines)]


def test_a_sentence_that_goes_on_has_no_label() -> None:
    lines = [
        "Note: all of the rules are those of the Harbour and",
        "Pilots Office: nobody else makes rules for it.",
    ]
    assert [text for _, _, text in blocks_of(*below(lines))] == [" ".join(lines)]


def test_a_number_of_any_length_is_read() -> None:
    assert blocks_of(*below(["1" * 5000 + " a", "2 b"], size=4))


def test_a_dot_in_a_table_is_no_bullet() -> None:
    grid = ruled([50, 150, 300, 400], [716, 700, 684, 668])
    cells = [placed(54, 704 - 16 * at, f"Boat {at}", size=10) for at in range(3)]
    states = [placed(170, 704 - 16 * at, "in service", size=10) for at in range(3)]
    years = [placed(304, 704 - 16 * at, f"199{at}", size=10) for at in range(3)]
    dots = [disc(162, 707.5 - 16 * at, 1.5) for at in range(3)]
    assert all("•" not in text for _, _, text in blocks_of(grid, *cells, *states, *years, *dots))


def test_a_dot_that_is_drawn_twice_is_one_bullet() -> None:
    twice = [disc(63, 686), disc(63, 686)]
    assert blocks_of(placed(74, 682, "Old charts"), *twice) == [("item", 0, "- Old charts")]


def settings(*names: str, inside: float = 80, lead: str = "The file has these settings:") -> list[tuple[str, int, str]]:
    drawn = below([lead], top=720)
    for at, name in enumerate(names):
        drawn += below([name], top=700 - 32 * at, font="F2")
        drawn += below([f"What the {name} of the boat is, in knots."], top=687 - 32 * at, left=inside)
    return blocks_of(*drawn, *below(BODY, top=500))


def test_names_in_bold_above_texts_further_in_are_terms() -> None:
    assert settings("speed", "drift")[1:5] == [
        ("term", 1, "speed"),
        ("definition", 2, "What the speed of the boat is, in knots."),
        ("term", 1, "drift"),
        ("definition", 2, "What the drift of the boat is, in knots."),
    ]
    assert settings("speed", "drift", lead="There are two.")[1][:2] == ("term", 0)


def test_titles_in_bold_above_texts_below_them_are_headings() -> None:
    assert settings("speed", "drift", inside=50)[1][0] == "heading"


def test_one_name_in_bold_is_a_heading() -> None:
    assert settings("speed")[1][0] == "heading"


def test_a_small_bullet_above_the_baseline_begins_the_item_behind_it() -> None:
    drawn = [placed(40, 720, "Do not", size=10)]
    for y, text in ((700, "shout at the harbour master or at"), (676, "paint the pier without leave of")):
        drawn += [placed(54, y + 2.5, "\xb7", size=4.5), placed(70, y, text, size=10)]
        drawn.append(placed(70, y - 12, "those who work there;", size=10))
    shown = [text for kind, _, text in shown_blocks(read(pdf([drawn]), name="a.pdf")) if kind == "item"]
    assert shown == [
        "- shout at the harbour master or at those who work there;",
        "- paint the pier without leave of those who work there;",
    ]


def test_many_bullets_on_a_line_are_read_in_linear_time() -> None:
    bullets = [Word("\u2022", 10.0 * at, 10.0 * at + 4, 697.5, 4.5, False, False) for at in range(10_000)]
    words = [Word("boat", 10.0 * at + 5, 10.0 * at + 9, 700, 10, False, False) for at in range(10_000)]
    began = time.process_time()
    assert len(with_bullets_on_lines([*bullets, *words])) == 20_000
    assert time.process_time() - began < 3

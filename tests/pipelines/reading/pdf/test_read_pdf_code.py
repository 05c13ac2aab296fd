"""PDF: code, and words of code inside of sentences."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed

PROSE = ("The rope is coiled before the boat leaves, and", "the coil lies on the deck until it comes back.")


def blocks_of(*lines: tuple[str, str]) -> list[tuple[str, int, str]]:
    """The blocks of lines of text (F1) or code (F3) below each other."""
    drawn = [placed(50, 700 - 14 * at, text, size=10, font=font) for at, (font, text) in enumerate(lines)]
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    return shown_blocks(read(pdf([[*drawn, *prose]]), name="a.pdf"))


def test_a_path_on_a_line_of_its_own_ends_its_sentence() -> None:
    shown = blocks_of(
        ("F1", "The names of all ropes are kept in the file that is called"), ("F3", "/usr/share/ropes.txt.")
    )
    assert shown[0] == (
        "paragraph",
        0,
        "The names of all ropes are kept in the file that is called /usr/share/ropes.txt.",
    )


def test_a_sentence_goes_on_behind_a_line_of_code() -> None:
    shown = blocks_of(
        ("F1", "The names of all of the ropes are kept in the files below"),
        ("F3", "/usr/share/ropes/of/the/whole/harbour and below"),
        ("F1", "the folder of each single boat that lies in it."),
    )
    assert shown[0][2].endswith("harbour and below the folder of each single boat that lies in it.")


def test_code_behind_a_colon_is_a_block_of_its_own() -> None:
    shown = blocks_of(("F1", "To coil a rope, type this command:"), ("F3", "$ coil --rope 7"), ("F3", "$ coil --all"))
    assert shown[:2] == [
        ("paragraph", 0, "To coil a rope, type this command:"),
        ("code", 1, "$ coil --rope 7\n$ coil --all"),
    ]


def test_a_sign_of_another_font_does_not_end_code() -> None:
    code = [placed(50, 700 - 14 * at, f"coil --rope {at} --to north", size=10, font="F3") for at in range(3)]
    sign = placed(50 + 6 * 28, 686, "<-", size=10)
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    shown = shown_blocks(read(pdf([[*code, sign, *prose]]), name="a.pdf"))
    assert shown[0][0] == "code"
    assert shown[0][2].count("coil") == 3


def test_commands_below_a_sentence_without_a_colon_are_code() -> None:
    shown = blocks_of(
        ("F1", "Before the boats of the harbour leave, start the server with"),
        ("F3", "$ ebb start --port 80"),
        ("F3", "$ ebb stop"),
    )
    assert [kind for kind, _, _ in shown[:2]] == ["paragraph", "code"]
    assert shown[1][2] == "$ ebb start --port 80\n$ ebb stop"


def test_a_long_name_at_the_beginning_of_a_paragraph_is_no_code() -> None:
    name = placed(50, 700, "harbour_remote_state_configuration_backend", size=10, font="F3")
    rest = placed(306, 700, "is the", size=10)
    prose = [placed(50, 686 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    assert shown_blocks(read(pdf([[name, rest, *prose]]), name="a.pdf"))[0][0] == "paragraph"


def test_options_alone_above_paragraphs_are_terms() -> None:
    shown = blocks_of(
        ("F3", "--with-rope=LENGTH"),
        ("F1", "Take a rope of this length along with the boat."),
        ("F3", "--deck, --hold (default: no)"),
        ("F1", "Where the rope is kept."),
    )
    assert shown[:4] == [
        ("term", 0, "--with-rope=LENGTH"),
        ("definition", 1, "Take a rope of this length along with the boat."),
        ("term", 0, "--deck, --hold (default: no)"),
        ("definition", 1, "Where the rope is kept."),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [("F3", "--rope=7"), ("F1", "The rope is taken along with the boat.")],
        [("F3", "--rope 7 --deck"), ("F1", "The rope is taken."), ("F3", "--rope 8 --hold"), ("F1", "It is not.")],
        [("F3", "coil --rope"), ("F1", "The rope is taken."), ("F3", "coil --deck"), ("F1", "It is kept.")],
        [("F1", "Say:"), ("F3", "--rope=7"), ("F1", "Or say:"), ("F3", "--rope=8"), ("F1", "Both take a rope.")],
    ],
)
def test_options_of_commands_and_examples_stay_code(lines: list[tuple[str, str]]) -> None:
    kinds = [kind for kind, _, _ in blocks_of(*lines)]
    assert "code" in kinds
    assert "term" not in kinds


def test_settings_with_their_signs_below_each_other_are_code() -> None:
    settings = [("rope", "= {hemp},"), ("length", "= {40 m},"), ("colour", "= {white},"), ("ends", "= 2")]
    code = [
        part
        for at, (name, value) in enumerate(settings)
        for part in (
            placed(62, 686 - 14 * at, name, size=10, font="F3"),
            placed(140, 686 - 14 * at, value, size=10, font="F3"),
        )
    ]
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    shown = shown_blocks(read(pdf([[placed(50, 700, "@coil{", size=10, font="F3"), *code, *prose]]), name="a.pdf"))
    assert [kind for kind, _, _ in shown] == ["code", "paragraph"]
    assert "\n  length       = {40 m}," in shown[0][2]


def test_code_keeps_its_indentation_and_its_gaps_and_leaves_out_the_margin_of_the_page() -> None:
    lines = [(80, "def coil(rope):"), (104, "if rope.wet:    # dry it"), (128, "return more")]
    drawn = [placed(x, 700 - 14 * at, text, size=10, font="F3") for at, (x, text) in enumerate(lines)]
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    shown = shown_blocks(read(pdf([[*drawn, *prose]]), name="a.pdf"))
    assert shown[0] == ("code", 0, "def coil(rope):\n    if rope.wet:    # dry it\n        return more")


def test_code_that_begins_further_in_keeps_that_and_goes_on_on_the_next_page() -> None:
    prose = [placed(50, 700 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    first = [placed(104, 500, "more = 2", size=10, font="F3"), placed(80, 486, "boats = (", size=10, font="F3")]
    second = [placed(104, 700, "pier, 7)", size=10, font="F3"), placed(50, 500, PROSE[0], size=10)]
    document = read(pdf([[*prose, *first], second]), name="a.pdf")
    code = next(text for kind, _, text in shown_blocks(document) if kind == "code")
    assert code == "    more = 2\nboats = (\n    pier, 7)"
    assert document.text[document.pages[1].span.start :].lstrip().startswith("pier, 7)")


def test_a_word_far_outside_of_the_page_leaves_no_endless_gap() -> None:
    drawn = [
        placed(80, 700 - 14 * at, "coil", size=10, font="F3")
        + b"\n"
        + placed(9e5, 700 - 14 * at, "rope", size=10, font="F3")
        for at in range(3)
    ]
    prose = [placed(50, 300 - 14 * at, PROSE[at % 2], size=10) for at in range(12)]
    text = read(pdf([[*drawn, *prose]]), name="a.pdf").text
    assert "rope\ncoil" in text
    assert len(text) < 3000

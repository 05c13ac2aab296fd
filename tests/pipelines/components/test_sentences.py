import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.components.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Hay came in Jan. 2020. He left.", ["Dr. Hay came in Jan. 2020.", "He left."]),
        ("It weighs 3.5 kg, e.g. in winter. Then less.", ["It weighs 3.5 kg, e.g. in winter.", "Then less."]),
        ('"Sit." She sat.', ['"Sit."', "She sat."]),
        ("a short\nline goes on. End", ["a short\nline goes on.", "End"]),
        ("Well... Yes.... no", ["Well...", "Yes.... no"]),
        ("Dots.......x go on. End", ["Dots.......x go on.", "End"]),
        ("犬は吠える。猫は鳴く。", ["犬は吠える。", "猫は鳴く。"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_headings_list_items_and_table_rows_stand_alone() -> None:
    prose = "# Care\n## Food\nTwice a day.\n\n- fresh water\n- dry food\n1. Wash. Then dry.\n\n"
    text = prose + "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert sentences(text) == [
        "# Care",
        "## Food",
        "Twice a day.",
        "- fresh water",
        "- dry food",
        "1. Wash.",
        "Then dry.",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
    ]


@pytest.mark.parametrize("text", ["." * 200_000, "!?…." * 50_000, '."' * 100_000, "." * 200_000 + "x"])
def test_a_long_run_of_dots_is_one_sentence(text: str) -> None:
    assert sentence_spans(text) == [(0, len(text))]


def test_a_sentence_of_abbreviations_alone_is_one_sentence() -> None:
    text = "Mr. " * 100_000
    assert sentence_spans(text) == [(0, len(text) - 1)]


@given(st.text(max_size=300), st.integers(0, 50))
def test_spans_are_in_order_disjoint_and_lose_nothing_but_space(text: str, start: int) -> None:
    start = min(start, len(text))
    spans = sentence_spans(text, start)
    position = start
    for first, last in spans:
        assert position <= first < last
        assert not text[position:first].strip()
        position = last
    assert not text[position:].strip()

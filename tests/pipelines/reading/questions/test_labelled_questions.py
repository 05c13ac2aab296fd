"""Questions and answers with labels: the questions are headings, and the labels go."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import docx, paragraph, pdf

NAMES = ("a.rst", "a.md", "a.txt")
APART = "Q: May guests row?\n\nA: Only on Thursdays.\n\nQ: Is the gate locked?\n\nA: Yes.\n\nAsk for a key.\n"
READ = [
    ("heading", 1, "May guests row?"),
    ("paragraph", 0, "Only on Thursdays."),
    ("heading", 1, "Is the gate locked?"),
    ("paragraph", 0, "Yes."),
    ("paragraph", 0, "Ask for a key."),
]


def blocks(content: str | bytes, name: str) -> list[tuple[str, int, str]]:
    document = read(content, name=name)
    assert_blocks_fit(document)
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
    return shown_blocks(document)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        APART,
        APART.replace("?\n\nA", "?\nA"),
        APART.replace("A: ", "Answer: ").replace("Q: ", "Question: "),
        APART.replace("Q: M", "Q1: M").replace("A: O", "A1: O").replace("Q: I", "Q 2: I"),
    ],
)
def test_labelled_questions_are_headings_without_their_labels(text: str, name: str) -> None:
    assert blocks(text, name) == READ


def test_questions_of_other_formats_are_headings_too() -> None:
    written = [line for line in APART.split("\n") if line]
    assert blocks("".join(f"<p>{line}</p>" for line in written), "a.html") == READ
    assert blocks(docx("".join(map(paragraph, written))), "a.docx") == READ
    shown = blocks(pdf([[part for line in written for part in (line, 30.0)]]), "a.pdf")
    assert [text for kind, _, text in shown if kind == "heading"] == ["May guests row?", "Is the gate locked?"]


def test_a_question_is_a_level_below_its_section_and_ends_at_the_next_one() -> None:
    markdown = "# Club\n\n## Boats\n\nQ: May I\nrow?\n\nA: No.\n\n## Keys\n\n### Q: Where is it?\n\nA: Here.\n"
    assert [each for each in blocks(markdown, "a.md") if each[0] == "heading"] == [
        ("heading", 1, "Club"),
        ("heading", 2, "Boats"),
        ("heading", 3, "May I row?"),
        ("heading", 2, "Keys"),
        ("heading", 3, "Where is it?"),
    ]


def test_a_question_stands_beside_a_heading_that_is_one() -> None:
    markdown = "# Club\n\n## Why is it locked?\n\nOf ice.\n\nQ: Where is the key?\n\nA: Here.\n"
    assert ("heading", 2, "Where is the key?") in blocks(markdown, "a.md")


def test_several_questions_in_one_paragraph_are_told_apart() -> None:
    text = "Q: May guests row?\nA: Only on\nThursdays.\nQ: Is it\nlocked?\nA: Yes.\n"
    assert blocks(text, "a.txt") == [
        ("heading", 1, "May guests row?"),
        ("paragraph", 0, "Only on\nThursdays."),
        ("heading", 1, "Is it locked?"),
        ("paragraph", 0, "Yes."),
    ]


def test_pages_stay_exact() -> None:
    document = read(pdf([["Q: May guests row?", 30.0, "A: No."], ["Tides."]]), name="a.pdf")
    assert [document.text[page.span.start : page.span.end].strip() for page in document.pages] == [
        "May guests row?\n\nNo.",
        "Tides.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Q: May guests row?\n\nOnly on Thursdays.\n",
        "Q: Guests may row.\n\nA: Only on Thursdays.\n",
        "Q1: May guests row?\n\nA2: Only on Thursdays.\n",
        "Question 1. Which boat is it?\n\nAnswer. A yawl.\n",
        f"Q: {'I row and row. ' * 20}May I?\n\nA: Only on Thursdays.\n",
        "Q1: Which?\nA. A yawl\nB. A ketch\n\nQ2: Where?\nA. Here\nB. There\n",
        "Q: Which?\n\nA: A yawl\n\nB: A ketch\n",
        "A: Only on Thursdays.\n\nQ: May guests row?\n",
    ],
)
def test_other_labels_stay_as_they_are(text: str) -> None:
    document = read(text, name="a.md")
    assert document.headings == ()
    assert document.text.split() == text.split()


@pytest.mark.parametrize(
    "text", ["Q: b?\nA: c\n", "Q. b?\nA. c\n", "Q: b?\n\nA: c\n\n", "Q: ", "A. \t", "? A:", "Q:\n"]
)
def test_any_number_of_labels_is_read_in_time(text: str) -> None:
    started = time.process_time()
    read("Q: a?\nA: b\n" + text * 6_000, name="a.txt")
    assert time.process_time() - started < 20

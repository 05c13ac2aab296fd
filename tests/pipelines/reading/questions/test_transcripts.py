"""Transcripts: a question is the heading of what another one replies."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import docx, paragraph

SPOKEN = [
    "CHAIR: We begin at nine.",
    "MS. ROE (for the rowers): What will the new pier cost?",
    "MR. POE: About 40,000 pounds. It was less.",
    "CHAIR: And when is it built?",
    "MR. POE: In May.",
    "CHAIR: Thank you, Mr. Poe.",
]
READ = [
    ("paragraph", 0, SPOKEN[0]),
    ("heading", 1, SPOKEN[1]),
    ("paragraph", 0, SPOKEN[2]),
    ("heading", 1, SPOKEN[3]),
    ("paragraph", 0, SPOKEN[4]),
    ("paragraph", 0, SPOKEN[5]),
]


def blocks(content: str | bytes, name: str) -> list[tuple[str, int, str]]:
    document = read(content, name=name)
    assert_blocks_fit(document)
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
    return shown_blocks(document)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("\n\n".join(SPOKEN), "a.txt"),
        ("\n".join(SPOKEN), "a.txt"),
        ("\n\n".join(SPOKEN), "a.md"),
        ("\n\n".join(f"**{name}:**{said}" for name, _, said in (one.partition(":") for one in SPOKEN)), "a.md"),
        ("\n\n".join(SPOKEN), "a.rst"),
        ("".join(f"<p>{one}</p>" for one in SPOKEN), "a.html"),
        (docx("".join(map(paragraph, SPOKEN))), "a.docx"),
    ],
)
def test_what_is_asked_is_the_heading_of_what_another_one_replies(content: str | bytes, name: str) -> None:
    assert blocks(content, name) == READ


def test_turns_may_have_times() -> None:
    text = "[10:26] Ida Holm: Is the pier open?\n\n[10:27] Bo: Not yet.\n\n[10:31] Ida Holm: Thanks.\n"
    assert blocks(text, "a.md")[0] == ("heading", 1, "[10:26] Ida Holm: Is the pier open?")


def test_a_question_is_a_level_below_its_section() -> None:
    text = "# Hearing\n\n## Day two\n\n" + "\n\n".join(SPOKEN)
    assert ("heading", 3, SPOKEN[1]) in blocks(text, "a.md")


def test_of_a_long_turn_the_end_is_the_question() -> None:
    before = "Ropes were laid along the pier in the year before last, and lamps were hung above them. " * 3
    text = "\n\n".join([f"ROE: {before}What did it cost?", "POE: Two pounds.", "ROE: So little."])
    shown = blocks(text, "a.txt")
    (heading,) = (one for kind, _, one in shown if kind == "heading")
    assert heading.endswith("What did it cost?")
    assert len(heading) < 220
    assert " ".join(one for _, _, one in shown) == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "Place: Ebb Hall\n\nTime: nine?\n\nFee: 2 pounds\n\nPlace of rest: the inn",
        "Note: Is it open?\n\nPier: no\n\nNote: ask us.",
        "Q: Which knot holds?\n\nA: a bend\n\nB: a hitch\n\nQ: Which slips?\n\nA: a bend\n\nB: a hitch",
        "ROE: Is it open?\n\nPOE: No.",
        "ROE: Is it open?\n\nROE: No.\n\nROE: Yes.",
        "\n\n".join(["We met Roe: Is it late?", *SPOKEN[2:3], *["A long day on the water went by."] * 8, *SPOKEN[3:]]),
    ],
)
def test_labels_and_quotations_make_no_transcript(text: str) -> None:
    assert not any(kind == "heading" for kind, _, _ in blocks(text, "a.md"))


def test_transcripts_take_linear_time() -> None:
    started = time.process_time()
    for text in (
        "\n".join(SPOKEN) + "\n",
        "Roe: ",
        "Roe Poe. " * 4 + ":\n",
        "A: ?\n\nBo: ?\n\n",
        "Bo: a. ?\n\nAl: b.\n\n",
    ):
        read(text * (40_000 // len(text)), name="a.md")
    assert time.process_time() - started < 60

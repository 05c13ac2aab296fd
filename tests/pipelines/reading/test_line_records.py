"""Lines that are a record each, in plain text and Markdown: labels, the messages of a chat, the times of a day."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from pipelines.reading.plain.blocks import plain_blocks
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def items(text: str, name: str) -> list[str]:
    document = read(text.encode(), name=name)
    assert_blocks_fit(document)
    return [shown for kind, _, shown in shown_blocks(document) if kind == "item"]


CHAT = (
    "[08:02] Una: who has the oars?",
    "[08:03] Olaf: they are in the shed,\nbehind the ladder",
    "[08:09] Una: thanks",
)
BARE = ("08:02 the gate opens", "08:40 first boat out", "17:15 the gate closes")
DASHED = ("04/05/2025, 08:02 - Una: who has the oars?", "04/05/2025, 08:03 - Olaf: they are in the shed")
DATED = ("2025-05-04 08:02 Una: hello", "2025-05-04 08:03 Olaf: hello")
RANGES = ("09:00\u201309:45 Knots for beginners", "10:00\u201311:30 Splicing")
SENDERS = ("Una Holm 8:02 AM\nwho has the oars?", "Olaf Berg 8:03 AM\nthey are in the shed")
DEFINED = ('"berth" means a place\nwhere a boat lies;', "\u201ctide\u201d has the meaning that sailors give it.")
PARTS = ("2.1 Oars: two years", "2.2 Sails: three years, or\nfour if they are washed")
STEPS = ("Step 1. Find the rope.", "Step 2. Tie it to the\n    ring.")
LABELS = ("Boat: Petrel", "Berth: 14", "Draught: 1.6 m with the keel\n    up, 2.1 m with it down")


@pytest.mark.parametrize("records", [CHAT, BARE, DASHED, DATED, RANGES, SENDERS, DEFINED, PARTS, STEPS, LABELS])
def test_lines_with_the_same_kind_of_mark_are_items(records: tuple[str, ...]) -> None:
    assert items("\n".join(records) + "\n\nThe harbour was quiet that day.\n", "day.txt") == list(records)


@pytest.mark.parametrize("records", [CHAT, BARE, DASHED, LABELS[:2]])
def test_they_are_in_markdown_too(records: tuple[str, ...]) -> None:
    shown = [" ".join(record.split()) for record in records]
    assert [" ".join(item.split()) for item in items("# Day\n\n" + "\n".join(records) + "\n", "day.md")] == shown


def test_labels_in_bold_begin_items() -> None:
    text = "**Berth:** 14\n**next inspection**: May,\nor June if it rains  \n**Owner:** Una Holm\n"
    assert items(text, "berth.md") == ["Berth: 14", "next inspection: May,\nor June if it rains", "Owner: Una Holm"]


@pytest.mark.parametrize("name", ["day.txt", "day.md"])
def test_what_leads_into_them_stays_prose(name: str) -> None:
    document = read(f"What we saw that day:\n{BARE[0]}\n{BARE[1]}\n".encode(), name=name)
    assert shown_blocks(document) == [
        ("paragraph", 0, "What we saw that day:"),
        ("item", 1, BARE[0]),
        ("item", 1, BARE[1]),
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "The gate opens at\n08:02 and the first boat leaves at\n08:40 if the tide allows it.",
        "Note: the gate is narrow.\nTide: watch it, for it runs fast here and\nturns without warning.",
        "We met twice. The first time\nOlaf: a tall man, came late.",
        "08:02 was the hour at which the gate opened that\nday, and nobody was there to see it.",
        "Q: May I swim here?\nA: Not before noon.",
        "width: 3\nheight: 4",
    ],
)
@pytest.mark.parametrize("name", ["day.txt", "day.md"])
def test_prose_that_wraps_has_no_items(prose: str, name: str) -> None:
    assert items(f"{prose}\n", name) == []


def test_a_long_record_does_not_end_the_run() -> None:
    long = "[08:03] Olaf: " + "they are in the shed behind the ladder " * 6
    blocks = plain_blocks(f"{CHAT[0]}\n{long}\n{CHAT[2]}\n")
    assert [block.kind for block in blocks] == ["item"] * 3


@pytest.mark.parametrize(
    "line", ["a:\n", "08:40 a:\nb:\n", "A: b:\nA: b:\nx:\n", "[08:40 a\n", "08:40 a\n" + "b\n" * 300]
)
def test_hostile_lines_take_no_longer(line: str) -> None:
    began = time.process_time()
    plain_blocks(line * (400_000 // len(line)))
    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", ["day.txt", "day.md"])
@pytest.mark.parametrize("records", [CHAT, SENDERS, DASHED, ("Una: who has the oars?", "Olaf: not me", "Una: thanks")])
def test_a_reply_is_inside_of_what_it_replies_to(records: tuple[str, ...], name: str) -> None:
    document = read("\n".join(records).encode(), name=name)
    first, *others = (block.level for block in document.blocks)
    assert others == [first + 1, first][: len(others)]


def test_nobody_replies_to_himself_or_to_what_no_one_says() -> None:
    for text in ("Una: who has the oars?\nUna: I have.", "08:02 who has the oars?\n08:40 they are found"):
        assert {block.level for block in plain_blocks(text)} == {0}

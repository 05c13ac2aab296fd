"""Logs: an entry with its stack trace is a paragraph, and the text stays as it is."""

from __future__ import annotations

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

TRACED = """2024-01-02 10:00:00 INFO Started
2024-01-02 10:00:01 ERROR Could not connect
Traceback (most recent call last):
  File "x.py", line 1
ValueError: bad
2024-01-02 10:00:02 WARN Trying again"""


def test_an_entry_begins_where_a_time_stands() -> None:
    document = read(TRACED.encode(), name="server.log")
    assert_blocks_fit(document)
    assert document.text == TRACED
    assert [text.split("\n")[-1] for _, _, text in shown_blocks(document)] == [
        "2024-01-02 10:00:00 INFO Started",
        "ValueError: bad",
        "2024-01-02 10:00:02 WARN Trying again",
    ]
    assert [block.line for block in document.blocks] == [1, 2, 6]


def test_without_times_each_line_is_an_entry_with_what_is_indented_below() -> None:
    document = read(b"configure: error\n  no compiler\nmake failed\n\nend", name="a.log")
    assert_blocks_fit(document)
    assert [text for _, _, text in shown_blocks(document)] == ["configure: error\n  no compiler", "make failed", "end"]


def test_colours_of_the_terminal_are_left_out() -> None:
    assert read(b"\x1b[1;31mred\x1b[0m alert", name="a.log").text == "red alert"


def test_levels_and_other_times_begin_entries_too() -> None:
    lines = [
        "[2024/01/02 10:00] a", "Jan 12 10:00:00 host b", "127.0.0.1 - - [10/Oct/2000:13:55:36] c", "1704190000 d",
        "WARN e", "10:00:00.123 f",
    ]  # fmt: skip
    assert len(read("\n".join(lines).encode(), name="a.log").blocks) == len(lines)


def test_a_log_of_a_million_characters_on_one_line_is_read() -> None:
    assert len(read(b"x y " * 250_000, name="a.log").blocks) == 1

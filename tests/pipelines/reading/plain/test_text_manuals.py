"""Plain text: pages of a manual, with their files, variables and options."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

MANUAL = """\
NAME
       harbourd - assign berths

OPTIONS
       -q     Say nothing.

       -b, --berths number
              Assign at most that many berths
              in a day.

       -t     Tell the time of each, and what is paid
              for it.

FILES
       /etc/harbourd.conf
              The berths, see harbourd.conf(5).

       /run/harbourd.pid
              The number of the process; it is
              removed at the end.

ENVIRONMENT
       HARBOUR
              The name of the harbour.

       QUAY_WIDTH
              Set by the crew; in metres.

BUGS
       None is known.
"""


def test_files_variables_and_options_are_terms() -> None:
    document = read(MANUAL, name="harbourd.8.txt")
    assert_blocks_fit(document)
    assert [(one.level, one.title) for one in document.headings] == [
        (1, title) for title in ("NAME", "OPTIONS", "FILES", "ENVIRONMENT", "BUGS")
    ]
    said = [(kind, " ".join(shown.split())) for kind, _, shown in shown_blocks(document)]
    assert [one for one in said if one[0] in ("term", "definition")] == [
        ("term", "-q"),
        ("definition", "Say nothing."),
        ("term", "-b, --berths number"),
        ("definition", "Assign at most that many berths in a day."),
        ("term", "-t"),
        ("definition", "Tell the time of each, and what is paid for it."),
        ("term", "/etc/harbourd.conf"),
        ("definition", "The berths, see harbourd.conf(5)."),
        ("term", "/run/harbourd.pid"),
        ("definition", "The number of the process; it is removed at the end."),
        ("term", "HARBOUR"),
        ("definition", "The name of the harbour."),
        ("term", "QUAY_WIDTH"),
        ("definition", "Set by the crew; in metres."),
    ]


def test_one_option_alone_stays_a_paragraph() -> None:
    text = "Call it like this.\n\n-q     Say nothing.\n\nThen wait.\n"
    assert [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))] == ["paragraph"] * 3


def test_rows_that_begin_with_an_option_stay_whole() -> None:
    text = "The quays:\n\n-inner  free    berth.so\n\n-outer  free    berth.so\n"
    assert "term" not in [kind for kind, _, _ in shown_blocks(read(text, name="a.txt"))]


def test_centred_titles_in_capitals_stay_titles() -> None:
    text = "BOATS\n\nThey are dry.\n\n          OARS\n\nThey are wet.\n"
    assert [one.title for one in read(text, name="a.txt").headings] == ["BOATS", "OARS"]


@pytest.mark.parametrize("text", ["-a" * 20_000, "-a b" + " " * 20_000 + "c", "-a " * 20_000, "-a  b\n" * 20_000])
def test_options_without_an_end_are_read_in_time(text: str) -> None:
    assert_blocks_fit(read(text, name="a.txt"))

"""Plain text: numbered titles with their text on the next line, as minutes of meetings have them."""

from __future__ import annotations

from pipelines.reading import read

MINUTES = """\
Minutes of the board, 8 September

Present: Ines (chair), Tom

1. Finances
Tom reported a balance of 18,420 euros on 31 August. Fees brought 3,100 euros less than was planned,
because 22 members have not paid yet. Reminders go out next week.

2. Boats
The eight has a crack in the hull near seat 4. The old double is to be sold for 800 euros or more to
the first buyer.
"""
STEPS = """\
Mending the hull

1. Take the boat out of the water and turn it over. Dry it for two days in the sun, and sand the crack
With fine paper.

2. Mix the resin with the hardener in a clean cup, and do not mix more than you use within an hour or
Two of them.
"""


def test_a_title_ends_where_the_next_word_would_have_had_room() -> None:
    headings = read(MINUTES, name="minutes.txt").headings
    assert [heading.title for heading in headings] == ["Minutes of the board, 8 September", "1. Finances", "2. Boats"]


def test_a_line_that_is_full_goes_on_below() -> None:
    assert read(STEPS, name="steps.txt").headings == ()

"""Settings with their comments in samples of files of settings."""

from __future__ import annotations

import time

import pytest

from pipelines.query.extracts.passages.commented_settings import commented_settings
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.choices import choose, favouring

SAMPLE = """\
harbour:
  # How long a boat may lie
  # at the guest berth.
  [ guest_stay: <hours> | default = 12 ]

  # How often the tide is read.
  tide.interval: 5m
  [ others: <text> ]
"""


def shown(text: str) -> list[str]:
    return [told for _, told in commented_settings(text, Span(0, len(text)))]


def test_a_setting_is_shown_with_the_comment_above_it() -> None:
    assert shown(SAMPLE) == [
        "# How long a boat may lie\n# at the guest berth.\n[ guest_stay: <hours> | default = 12 ]",
        "# How often the tide is read.\ntide.interval: 5m",
    ]


def test_the_place_of_a_setting_is_that_of_its_lines() -> None:
    spans = [SAMPLE[span.start : span.end] for span, _ in commented_settings(SAMPLE, Span(0, len(SAMPLE)))]
    assert spans[1] == "  # How often the tide is read.\n  tide.interval: 5m"


@pytest.mark.parametrize(
    "code",
    [
        "# Reads the tide.\nread_tide()\n\n# Stops.\nstop()",
        "#!/bin/sh\nA=1\n#!/bin/sh\nB=2",
        "# One setting alone.\ntide: 5\nwind: 3",
        "# A title\n\ntide: 5\n\n# Another\n\nwind: 3",
        "# Compares.\ntide == 5\n# Compares.\nwind == 3",
    ],
)
def test_other_code_has_no_such_settings(code: str) -> None:
    assert shown(code) == []


def test_a_setting_of_a_long_sample_is_chosen_alone() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Settings of the harbour")
        draft.add("The file looks like this:")
        more = "\n".join(
            f"  # Colour of the lamp at berth {number}, seen from the sea.\n  lamp_{number}: red"
            for number in range(30)
        )
        draft.add(f"{more}\n{SAMPLE}", "code", level=1)

    found = choose("How often is the tide read?", manual, favouring("tide.interval", "tide is read"), 1)
    assert found.extracts[0].shown == "# How often the tide is read.\ntide.interval: 5m"


def test_long_code_takes_linear_time() -> None:
    started = time.process_time()
    for code in ("# a\n" * 50_000, "# a\nb: 1\n" * 25_000, "#" * 50_000, "# " + " " * 50_000, "[" + " " * 50_000):
        commented_settings(code, Span(0, len(code)))
    assert time.process_time() - started < 5

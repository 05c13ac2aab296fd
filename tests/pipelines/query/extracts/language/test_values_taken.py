"""The values that a setting takes."""

import pytest

from pipelines.query.extracts.language.values import asks_values, states_values


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What does the tide-mode option accept?", True),
        ("What can tideMode be set to?", True),
        ("Which values does tide-mode take?", True),
        ("What are the allowed values of tide-mode?", True),
        ("What does the ferry take to Ostvik?", False),
        ("What is tide-mode?", False),
    ],
)
def test_questions_for_values_name_them_or_say_that_a_setting_takes_them(question: str, asks: bool) -> None:
    assert asks_values(question) is asks


def test_a_line_states_values_behind_a_label() -> None:
    assert states_values('- Default: "ebb"\n- Type: "ebb" or "flood"')
    assert states_values("Possible values: ebb, flood")
    assert not states_values("The type of boat: a sloop")

"""Which settings code gives values that may be their defaults."""

from time import process_time

import pytest

from pipelines.query.extracts.language.defaults import asks_default, defaults_in


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def light(\n    oil,\n    burn_hours=10,\n):\n    wick = 3", ["burn_hours", "wick"]),
        ("class Lamp(\n  burnHours = 10,\n)", ["burnHours"]),
        ("def light(\n    wick=cut(\n        burn_hours=10,\n    ),\n    dim=1,\n):", ["wick", "dim"]),
        ("# lamps (see below\nwick = 3  // or (4\ndim: ':('\nlow: \"(\"\nburn: 1", ["wick", "dim", "low", "burn"]),
        ("light({\n  wick: 3,\n})\ndim = 1", ["dim"]),
        ("a) first\nlight(\n  wick = 3)", []),
    ],
)
def test_arguments_of_calls_are_left_out_and_those_of_definitions_are_not(code: str, names: list[str]) -> None:
    assert list(defaults_in(code)) == names


@pytest.mark.parametrize(
    "code", ["((" * 50_000, "'\"" * 50_000, "def " * 50_000, "f(\na = 1\n" * 20_000, "//" * 50_000]
)
def test_hostile_code_is_read_in_linear_time(code: str) -> None:
    began = process_time()
    list(defaults_in(code))
    assert process_time() - began < 2


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How long does the lamp burn by default?", True),
        ("How long does the lamp burn if I don't set it?", True),
        ("Which wick is used when nothing is given?", True),
        ("Where is oil kept if no can is specified?", True),
        ("And what wick is used if I do not choose one?", True),
        ("How many lamps burn if you don't configure?", True),
        ("What happens if I don't pass the test of keepers?", False),
        ("How long must I wait if I do not pass the test?", False),
        ("Who lights the lamp if no keeper is chosen?", False),
        ("Can I come if it is not given up?", False),
    ],
)
def test_a_default_is_asked_for_by_what_is_so_without_a_value(question: str, asks: bool) -> None:
    assert asks_default(question) is asks


def test_a_long_question_for_a_default_is_read_in_linear_time() -> None:
    began = process_time()
    for part in ("if i do not set ", "if no ", "what ", "when   "):
        asks_default("which " + part * 20_000)
    assert process_time() - began < 5


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which sail is set unless told otherwise?", True),
        ("Which sail is set unless otherwise specified?", True),
        ("Which sail is set unless I say so?", True),
        ("How many lamps burn if I don't say?", True),
        ("Does the lamp burn unless it rains?", False),
    ],
)
def test_what_is_so_unless_it_is_told_otherwise_is_the_default(question: str, asks: bool) -> None:
    assert asks_default(question) == asks

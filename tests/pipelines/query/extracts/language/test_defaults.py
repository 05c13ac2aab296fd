"""Which settings code gives values that may be their defaults."""

from time import process_time

import pytest

from pipelines.query.extracts.language.defaults import defaults_in


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

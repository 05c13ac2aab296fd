"""JSON of a given form, as language models write it."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from pipelines.query.forms import read_form, repair, schema_of


class Coat(BaseModel):
    color: str


class Animal(BaseModel):
    name: str
    sure: float = Field(ge=0, le=1)
    coats: list[Coat]
    first: Coat


GOOD = '{"name": "Rex", "sure": 1, "coats": [{"color": "red"}], "first": {"color": "tan"}}'


def test_a_schema_has_no_references() -> None:
    schema = schema_of(Animal)
    assert "$ref" not in json.dumps(schema)
    assert "$defs" not in schema
    assert schema["properties"]["coats"]["items"]["properties"]["color"]["type"] == "string"
    assert schema["properties"]["first"]["required"] == ["color"]


@pytest.mark.parametrize(
    "text", [GOOD, f"```json\n{GOOD}\n```", f" ```\n{GOOD}```\n", f"Here it is:\n{GOOD}\nGood luck!"]
)
def test_a_valid_form_is_read_with_or_without_a_fence_or_words_around_it(text: str) -> None:
    assert read_form(text, Animal).first.color == "tan"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Invalid JSON"),
        ("A dog.", "Invalid JSON"),
        ("[]", "object"),
        (GOOD.replace('"Rex"', "7"), "name: "),
        (GOOD.replace('"sure": 1', '"sure": 92'), "sure: "),
        (GOOD.replace('"red"', "null"), "coats -> 0 -> color: "),
    ],
)
def test_a_form_error_names_its_place(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as error:
        read_form(text, Animal)
    assert str(error.value) in repair(str(error.value)).content


def test_nul_is_left_out_of_what_was_written() -> None:
    written = read_form(r'{"color": "r\u0000\u0000ed \\u0000 \u00e9"}', Coat)
    assert written.color == "red \\u0000 \u00e9"

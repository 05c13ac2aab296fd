from __future__ import annotations

import pytest

from app.commands.values import parse_filters, parse_metadata
from pipelines.errors import InvalidRequest
from pipelines.profile.sections.documents import MetadataField

FIELDS = {
    "species": MetadataField(type="keyword"),
    "tags": MetadataField(type="keywords"),
    "year": MetadataField(type="integer"),
    "weight": MetadataField(type="float"),
    "indoor": MetadataField(type="boolean"),
    "seen": MetadataField(type="datetime"),
}


def test_a_filter_is_a_json_object() -> None:
    assert parse_filters('{"species": ["dog"]}') == {"species": ["dog"]}
    assert parse_filters(None) is None


@pytest.mark.parametrize("text", ["", "dog", "[1]", "3", '{"a": NaN}'])
def test_any_other_filter_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="--filter: "):
        parse_filters(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("species=dog", """--filter: must be a JSON object, such as '{"species": "dog"}'"""),
        ("{species: dog}", """(line 1, column 2); write it as in '{"species": "dog"}'"""),
    ],
)
def test_an_invalid_json_filter_gets_an_example(text: str, message: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_filters(text)
    assert str(caught.value).endswith(message)


def test_values_have_the_types_that_the_profile_declares() -> None:
    pairs = ["species=dog", "year=2020", "weight=4.5", "indoor=Yes", "seen=2020-01-01", "tags=a,b", "tags=c"]
    assert parse_metadata(pairs, FIELDS) == {
        "species": "dog",
        "year": 2020,
        "weight": 4.5,
        "indoor": True,
        "seen": "2020-01-01",
        "tags": ["a,b", "c"],
    }


def test_without_declared_fields_every_value_is_text() -> None:
    assert parse_metadata(["count=3", "note=a=b", "empty="], {}) == {"count": "3", "note": "a=b", "empty": ""}


def test_an_undeclared_key_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidRequest, match=r'--metadata yaer: is not a field .*did you mean "year"'):
        parse_metadata(["yaer=2020"], FIELDS)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (["year"], '--metadata: "year" is not of the form KEY=VALUE'),
        (["=x"], '--metadata: "=x" is not of the form KEY=VALUE'),
        (["year=soon"], '--metadata year: "soon" is not a whole number'),
        (["weight=heavy"], '--metadata weight: "heavy" is not a number'),
        (["indoor=perhaps"], '--metadata indoor: "perhaps" is not true or false'),
        (["year=1", "year=2"], "--metadata year: is given twice"),
    ],
)
def test_a_malformed_pair_is_refused(pairs: list[str], message: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_metadata(pairs, FIELDS)
    assert str(caught.value) == message

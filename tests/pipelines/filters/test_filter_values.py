from datetime import UTC, datetime
from typing import Any

import pytest

from pipelines.filters.values import given_metadata, indexed_metadata, stored_metadata, typed_value
from pipelines.profile.sections.documents import MetadataField

FIELDS = {
    "day": MetadataField(type="datetime"),
    "price": MetadataField(type="float"),
    "year": MetadataField(type="integer"),
}


@pytest.mark.parametrize("plain", ["2024-05-01", "2024-05-01T10:00:00", "2024-05-01T10:00:00.5Z"])
def test_dates_that_every_engine_reads_stay_as_they_are(plain: str) -> None:
    assert stored_metadata({"day": plain}, FIELDS) == {"metadata": {"day": plain}}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("20240501", "2024-05-01T00:00:00+00:00"),
        ("2024-W18-3", "2024-05-01T00:00:00+00:00"),
        ("2024-05-01T10:00", "2024-05-01T10:00:00+00:00"),
        ("20240501T100000+0200", "2024-05-01T08:00:00+00:00"),
        ("2024-05-01T10:00:00.123456789Z", "2024-05-01T10:00:00.123456+00:00"),
    ],
)
def test_dates_spelled_otherwise_are_indexed_as_the_moment_they_mean_and_given_back_as_given(
    given: str, read: str
) -> None:
    payload = stored_metadata({"day": given, "other": given}, FIELDS)
    assert payload["metadata"] == {"day": read, "other": given}
    assert given_metadata(payload) == {"day": given, "other": given}


def test_keywords_that_ignore_case_are_indexed_without_it_and_given_back_as_given() -> None:
    fields = {
        "journal": MetadataField(type="keyword", ignore_case=True),
        "authors": MetadataField(type="keywords", ignore_case=True),
    }
    given = {"journal": "Diabetes Care", "authors": ["Ann Smith", "lee"], "other": "As Is"}
    payload = stored_metadata(given, fields)
    assert payload["metadata"] == {"journal": "diabetes care", "authors": ["ann smith", "lee"], "other": "As Is"}
    assert given_metadata(payload) == given
    assert stored_metadata({"journal": "plain"}, fields) == {"metadata": {"journal": "plain"}}
    assert typed_value("DIABETES Care", fields["journal"]) == "diabetes care"


def test_floats_are_indexed_to_15_digits_and_given_back_to_the_last() -> None:
    given = {"price": 0.1 + 0.2, "undeclared": [{"deep": 0.1 + 0.2}]}
    payload = stored_metadata(given, FIELDS)
    assert payload["metadata"]["price"] == 0.3
    assert given_metadata(payload) == given
    assert stored_metadata({"price": 0.3, "undeclared": 12.5, "year": 2024}, FIELDS).keys() == {"metadata"}


def test_a_moment_is_compared_in_utc_and_a_time_without_a_zone_is_utc() -> None:
    moment = datetime(2024, 5, 1, 8, tzinfo=UTC)
    for text in ("2024-05-01T08:00", "2024-05-01T10:00:00+02:00", "20240501T080000Z"):
        assert typed_value(text, FIELDS["day"]) == moment
    assert typed_value(moment.date(), FIELDS["day"]) == datetime(2024, 5, 1, tzinfo=UTC)


def test_values_of_a_former_field_type_are_ignored() -> None:
    earlier: dict[str, Any] = {"day": "some day", "price": "dear", "year": "2024"}
    assert indexed_metadata(earlier, FIELDS) == earlier
    assert indexed_metadata({"day": 5, "price": True}, FIELDS) == {"day": 5, "price": True}

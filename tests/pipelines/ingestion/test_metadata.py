from datetime import UTC, datetime
from typing import Any

import pytest

from pipelines.errors import InvalidDocument
from pipelines.ingestion.metadata import checked_metadata
from pipelines.profile.schema import MetadataField

FIELDS = {
    "kind": MetadataField(type="keyword", values=("breed", "health"), required=True),
    "topics": MetadataField(type="keywords"),
    "published": MetadataField(type="datetime"),
}


def test_declared_fields_pass_and_others_are_kept() -> None:
    given = {"kind": "breed", "topics": ["a", "b"], "published": "2024-05-01", "shelf": {"row": 4}, "none": None}
    assert checked_metadata(given, FIELDS) == {name: value for name, value in given.items() if name != "none"}


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({}, "metadata -> kind: is required by the profile"),
        ({"knid": "breed"}, 'metadata -> kind: is required by the profile, did you mean "knid"?'),
        ({"kind": "bred"}, 'metadata -> kind: "bred" is none of breed, health, did you mean "breed"?'),
        ({"kind": ["breed"]}, "metadata -> kind: must be text"),
        ({"kind": "breed", "topics": ["a", 1]}, "metadata -> topics: must be text, not 1"),
        ({"kind": "breed", "published": "soon"}, "metadata -> published: must be a date"),
        ({"kind": "breed", "x": datetime.now(UTC)}, "metadata: must be plain JSON"),
        ({"kind": "breed", "x": float("inf")}, "metadata: must be plain JSON"),
        ({"kind": "breed", "x": "\ud800"}, "metadata: must be plain JSON"),
        ({"kind": "breed", "x": nested(100_000)}, "metadata: nests too deep"),
        (
            {"kind": "breed", "x": [2**64]},
            "metadata: must be plain JSON (the number 18446744073709551616 is beyond 64 bits",
        ),
        ({"kind": "breed", "x": -(10**5000)}, "metadata: must be plain JSON"),
        ({"kind": "\ud800"}, "metadata -> kind: must be text"),
        ({"kind": "breed", "published": 20240501}, "metadata -> published: must be a date"),
        ({"kind": "breed", "x": "y" * 70_000}, "bytes are more than"),
    ],
)
def test_a_mistake_is_named(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        checked_metadata(metadata, FIELDS)
    assert message in str(caught.value)

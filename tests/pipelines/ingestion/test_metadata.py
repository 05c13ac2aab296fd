from datetime import UTC, datetime
from typing import Any

import pytest

from pipelines.errors import InvalidDocument
from pipelines.ingestion.metadata import checked_metadata
from pipelines.profile.sections.documents import Hierarchy, MetadataField, MetadataSection

SECTION = MetadataSection(
    fields={
        "kind": MetadataField(type="keyword", values=("breed", "health"), required=True),
        "topics": MetadataField(type="keywords"),
        "published": MetadataField(type="datetime"),
    }
)


def test_declared_fields_pass_and_others_are_kept() -> None:
    given = {"kind": "breed", "topics": ["a", "b"], "published": "2024-05-01", "shelf": {"row": 4}, "none": None}
    assert checked_metadata(given, SECTION) == {name: value for name, value in given.items() if name != "none"}


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({}, "metadata -> kind: is required by the profile"),
        ({"knid": "breed"}, 'metadata -> kind: is required by the profile; "knid" is not a field of the profile'),
        ({"kind": "bred"}, 'metadata -> kind: "bred" is not one of breed, health, did you mean "breed"?'),
        ({"kind": ["breed"]}, "metadata -> kind: must be text"),
        ({"kind": "breed", "topics": ["a", 1]}, "metadata -> topics: must be text, not 1"),
        ({"kind": "breed", "published": "soon"}, "metadata -> published: must be a date"),
        ({"kind": "breed", "x": datetime.now(UTC)}, "metadata -> x: must be plain JSON, and datetime is not"),
        ({"kind": "breed", "x": {"y": [1, b"z"]}}, "metadata -> x -> y -> 1: must be plain JSON, and bytes is not"),
        ({"kind": "breed", "x": {(1, 2): 3}}, "metadata -> x -> (1, 2): its name must be text"),
        ({"kind": "breed", "x": {2024: 3}}, "metadata -> x -> 2024: its name must be text"),
        ({"kind": "breed", 2024: "dry"}, "metadata -> 2024: its name must be text"),
        ({"kind": "breed", "x": [float("inf")]}, "metadata -> x -> 0: is not a finite number"),
        ({"kind": "breed", "x": "\ud800"}, "metadata -> x: holds half a character"),
        ({"kind": "breed", "x": {"\ud800": 1}}, "metadata -> x -> ?: its name holds half a character"),
        ({"kind": "breed", "x": ["a\0"]}, "metadata -> x -> 0: holds a NUL character"),
        ({"kind": "breed", "x": nested(20_000)}, "metadata -> x: nests deeper than 30 levels"),
        ({"kind": "breed", "x": nested(29)}, "metadata -> x: nests deeper than 30 levels"),
        ({"kind": "breed", "x": [2**64]}, "metadata -> x -> 0: is a number beyond 64 bits; write it as text"),
        ({"kind": "breed", "x": -(10**5000)}, "metadata -> x: is a number beyond 64 bits"),
        ({"kind": "\ud800"}, "metadata -> kind: holds half a character"),
        ({"kind": "breed", "published": 20240501}, "metadata -> published: must be a date"),
        ({"kind": "breed", "x": "y" * 70_000}, "bytes are more than"),
    ],
)
def test_a_mistake_is_named(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        checked_metadata(metadata, SECTION)
    assert message in str(caught.value)


def test_what_is_wrong_with_a_value_is_said_once() -> None:
    with pytest.raises(InvalidDocument) as caught:
        checked_metadata({"kind": "\ud800"}, SECTION)
    assert len(caught.value.problems) == 1


def test_what_stores_can_keep_is_kept() -> None:
    given = {"kind": "breed", "deep": nested(28), "numbers": [2**64 - 1, -(2**63), 1e300, True], "x": {"y": [""]}}
    assert checked_metadata(given, SECTION) == given


def hierarchy(**said: Any) -> MetadataSection:
    levels = MetadataField(type="keyword", values=("platform", "suite", "module", "entity"))
    keyword = MetadataField(type="keyword")
    fields = {"level": levels, "suite": keyword, "module": keyword, "entity_id": keyword, "owner": keyword}
    return MetadataSection(
        fields=fields, hierarchy=Hierarchy(level="level", path=("suite", "module", "entity_id"), **said)
    )


@pytest.mark.parametrize(
    "metadata",
    [
        {"level": "platform"},
        {"level": "platform", "suite": "fed"},
        {"level": "suite", "suite": "fed", "module": "reconciliation"},
        {"level": "module", "suite": "fed", "module": "reconciliation"},
        {"level": "entity", "entity_id": "acme"},
        {"level": "entity", "suite": "fed", "entity_id": "acme"},
    ],
)
def test_a_document_has_what_its_level_requires_and_may_have_more(metadata: dict[str, Any]) -> None:
    assert checked_metadata(metadata, hierarchy()) == metadata


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (
            {"suite": "fed"},
            "metadata -> level: is required: it names the document's level in the hierarchy (platform, ",
        ),
        ({"levle": "suite"}, '"levle" is not a field of the profile'),
        (
            {"level": "suit"},
            'metadata -> level: "suit" is not one of platform, suite, module, entity, did you mean "suite"?',
        ),
        ({"level": "suite"}, 'metadata -> suite: is required of a document of the level "suite"'),
        ({"level": "suite", "Suite": "fed"}, 'the level "suite"; "Suite" is not a field of the profile'),
        ({"level": "module", "module": "m"}, 'metadata -> suite: is required of a document of the level "module"'),
        ({"level": "module", "suite": "s"}, 'metadata -> module: is required of a document of the level "module"'),
        ({"level": "entity", "suite": "s", "module": "m"}, "metadata -> entity_id: is required of a document of the"),
        ({"level": "entity", "entity_id": "a", "suite": ""}, "metadata -> suite: must not be empty: it places"),
        ({"level": "suite", "suite": " \t"}, "metadata -> suite: must not be empty: it places"),
        ({"level": "suite", "suite": ["fed"]}, "metadata -> suite: must be text"),
    ],
)
def test_a_document_without_what_its_level_requires_is_refused(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        checked_metadata(metadata, hierarchy())
    assert message in str(caught.value)


def test_a_profile_says_what_a_level_requires() -> None:
    section = hierarchy(requires={"entity": ("suite", "entity_id", "owner"), "platform": ("owner",)})
    with pytest.raises(InvalidDocument, match="metadata -> owner: is required of a document of the level"):
        checked_metadata({"level": "platform"}, section)
    with pytest.raises(InvalidDocument, match="metadata -> suite: is required of a document of the level"):
        checked_metadata({"level": "entity", "entity_id": "acme", "owner": "x"}, section)
    met = {"level": "entity", "entity_id": "acme", "owner": "x", "suite": "fed"}
    assert checked_metadata(met, section) == met

"""LlamaIndex's filters on a store of chunks: declared fields are compared as in the filter language."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chunk_samples import DIMENSIONS, chunk_id, encoder
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.errors import InvalidFilter, InvalidRequest
from pipelines.filters.values import stored_metadata
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.storage import EdgeStore, MemoryStore

FIELDS = {
    "topic": MetadataField(type="keyword", ignore_case=True),
    "tags": MetadataField(type="keywords"),
    "year": MetadataField(type="integer"),
    "price": MetadataField(type="float"),
    "published": MetadataField(type="datetime"),
}
DOCUMENTS: list[dict[str, Any]] = [
    {"topic": "Harbour Dues", "tags": ["red", "green"], "year": 1, "price": 0.5, "published": "2024-05-01"},
    {"topic": "harbour dues", "tags": ["red"], "year": 2, "price": 1.5, "published": "2024-04-30T23:59:59Z"},
    {"topic": "Pilots", "year": 3, "price": 2},
    {},
]
EQ, NE, IN, NIN, GTE = (FilterOperator[name] for name in ("EQ", "NE", "IN", "NIN", "GTE"))
EMPTY = FilterOperator.IS_EMPTY
NOTHING = MetadataFilters(filters=[])


@pytest.fixture(params=["edge", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChunkStore]:
    section = EdgeStore() if request.param == "edge" else MemoryStore(engine="memory")
    made = build_vector_store(
        section, folder=tmp_path, collection="c", dimensions=DIMENSIONS, fields=FIELDS, encoder=encoder()
    )
    made.add(
        [
            TextNode(
                id_=chunk_id(number),
                text=str(number),
                embedding=[1.0] * DIMENSIONS,
                metadata={"document_id": str(number), **stored_metadata(metadata, FIELDS)},
            )
            for number, metadata in enumerate(DOCUMENTS)
        ]
    )
    yield made
    made.close()


def found(store: ChunkStore, *filters: Any, condition: FilterCondition = FilterCondition.AND) -> list[int]:
    nodes = store.get_nodes(filters=MetadataFilters(filters=list(filters), condition=condition))
    return sorted(int(node.metadata["document_id"]) for node in nodes)


def one(key: str, value: Any, operator: FilterOperator = EQ) -> MetadataFilter:
    return MetadataFilter(key=key, value=value, operator=operator)


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        (one("topic", "HARBOUR dues"), [0, 1]),
        (one("topic", "Pilots,HARBOUR DUES", IN), [0, 1, 2]),
        (one("year", "1,2", IN), [0, 1]),
        (one("year", [1, 3], IN), [0, 2]),
        (one("year", "1, 2", NIN), [2]),
        (one("price", "0.5,2", IN), [0, 2]),
        (one("price", 1.5), [1]),
        (one("price", 2, GTE), [2]),
        (one("published", "2024-05-01", GTE), [0]),
        (one("published", "20240501"), [0]),
        (one("tags", "red"), [0, 1]),
        (one("tags", "green", NE), [1]),
        (one("topic", "pilots", NE), [0, 1]),
        (one("tags", None, EMPTY), [2, 3]),
    ],
)
def test_declared_fields_are_compared_as_the_filter_language_does(
    store: ChunkStore, asked: MetadataFilter, numbers: list[int]
) -> None:
    assert found(store, asked) == numbers


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (one("year", "1,two", IN), 'must be a whole number, not "two"'),
        (one("year", "1"), 'must be a whole number, not "1"'),
        (one("published", "in May", GTE), "must be a date"),
        (one("topic", "a", GTE), "is for numbers and dates"),
        (one("topic", None), "filters -> topic: needs a value"),
    ],
)
def test_a_value_of_another_type_is_refused(store: ChunkStore, asked: MetadataFilter, message: str) -> None:
    with pytest.raises(InvalidFilter, match=message):
        found(store, asked)


def test_filters_nest(store: ChunkStore) -> None:
    either = MetadataFilters(filters=[one("year", 1), one("topic", "pilots")], condition=FilterCondition.OR)
    assert found(store, either, one("price", 1.0, GTE)) == [2]
    assert found(store, either, condition=FilterCondition.NOT) == [1, 3]


def test_filters_without_conditions_are_passed_over_however_they_nest(store: ChunkStore) -> None:
    nested = MetadataFilters(filters=[NOTHING, NOTHING])
    assert found(store, nested) == [0, 1, 2, 3]
    assert found(store, nested, one("year", 1), condition=FilterCondition.OR) == [0]
    unjoined = MetadataFilters(filters=[one("year", 1)], condition=None)
    assert [node.metadata["document_id"] for node in store.get_nodes(filters=unjoined)] == ["0"]


@pytest.mark.parametrize("condition", list(FilterCondition))
@pytest.mark.parametrize("inner", [[], [NOTHING], [MetadataFilters(filters=[NOTHING])]])
def test_deleting_by_filters_without_conditions_is_refused(
    store: ChunkStore, inner: list[MetadataFilters], condition: FilterCondition
) -> None:
    with pytest.raises(InvalidRequest, match=r"clear\(\) removes everything"):
        store.delete_nodes(filters=MetadataFilters(filters=inner, condition=condition))
    assert store.count() == len(DOCUMENTS)


def test_deleting_leaves_what_the_filters_do_not_match(store: ChunkStore) -> None:
    store.delete_nodes(filters=MetadataFilters(filters=[NOTHING, one("topic", "Harbour Dues")]))
    assert found(store) == [2, 3]

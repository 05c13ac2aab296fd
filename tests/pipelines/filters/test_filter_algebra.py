"""One meaning in every engine: made-up declarations, metadata and filters, held against an oracle in plain Python."""

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext, suppress
from typing import Any

import pytest
from filter_cases import UNIVERSE, declarations, filters, metadata
from filter_oracle import matches
from hypothesis import given, settings
from hypothesis import strategies as st
from qdrant_client import models

from pipelines.components.store.collection import DENSE, StoreCollection
from pipelines.components.store.payload_filters import metadata_matcher
from pipelines.errors import InvalidFilter, InvalidRequest
from pipelines.filters.language import compile_filters
from pipelines.filters.values import given_metadata, stored_metadata
from pipelines.ingestion.metadata import checked_metadata
from pipelines.profile.sections.documents import MetadataField, MetadataSection
from pipelines.profile.sections.storage import EdgeStore, MemoryStore, ServerStore, StoreSection
from tests.fakes.qdrant_servers import SERVERS, qdrant_server

FIELDS = {name: MetadataField(type=kind) for name, kind in UNIVERSE.items()}  # type: ignore[arg-type]
NEAR = [1.0, 0.0]
ENGINES = ["edge", "memory", *SERVERS]
EXAMPLES = int(os.environ.get("FOOTNOTE_FILTERS", "60"))
"""How many made-up tenants' filters each engine is held against the oracle with."""


@pytest.fixture(scope="module", params=ENGINES)
def collection(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreCollection]:
    """An engine's collection with every field of the universe indexed."""
    sections: dict[str, StoreSection] = {"edge": EdgeStore(), "memory": MemoryStore(engine="memory")}
    with ExitStack() as opened:
        if request.param not in sections:
            named = opened.enter_context(qdrant_server(request.param))
            sections[request.param] = ServerStore(**named, timeout_s=60, strict_mode=True)
        name = f"footnote_test_algebra_{uuid.uuid4().hex}"
        made = StoreCollection(sections[request.param], tmp_path_factory.mktemp("store"), name, len(NEAR), FIELDS)
        opened.callback(made.close)
        opened.callback(lambda: made.client.delete_collection(name))
        yield made


Case = tuple[dict[str, str], list[dict[str, Any]], list[dict[str, Any]]]
"""Types of the declared fields, documents' metadata, and filters."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    types = draw(declarations())
    documents = draw(st.lists(metadata(types), min_size=1, max_size=6))
    return types, documents, draw(st.lists(filters(types), min_size=1, max_size=3))


def store(collection: StoreCollection, case: Case) -> str:
    """Writes one chunk for each document, and gives the name that they are found together by."""
    types, offered, _ = case
    fields, batch = {name: FIELDS[name] for name in types}, uuid.uuid4()
    collection.write(
        [
            models.PointStruct(
                id=str(uuid.uuid5(batch, str(number))),
                vector={DENSE: NEAR},
                payload={
                    "document_id": batch.hex,
                    "n": number,
                    **stored_metadata(checked_metadata(document, MetadataSection(fields=fields)), fields),
                },
            )
            for number, document in enumerate(offered)
        ]
    )
    return batch.hex


def found_by(collection: StoreCollection, where: models.Filter) -> dict[int, models.Record] | None:
    """The chunks that a filter matches, by their numbers; None: strict mode does not look for parts of words."""
    try:
        return {(record.payload or {})["n"]: record for record in collection.scroll(where)}
    except InvalidRequest as refused:
        if "Substring" not in str(refused):
            raise
        return None


def check(collection: StoreCollection, case: Case, batch: str) -> None:
    """Holds what the engine finds, and what it gives back, against the oracle and against what was given."""
    types, offered, asked = case
    fields = {name: FIELDS[name] for name in types}
    documents = [{name: value for name, value in document.items() if value is not None} for document in offered]
    own = models.FieldCondition(key="document_id", match=models.MatchValue(value=batch))
    for one in asked:
        expected = {number for number, document in enumerate(offered) if matches(one, document, types)}
        where = compile_filters(one, fields)
        both = models.Filter(must=[own] if where is None else [own, where])
        found = found_by(collection, both)
        if found is None:
            assert "contains" in json.dumps(one, default=str)
            continue
        assert {number: given_metadata(record.payload) for number, record in found.items()} == {
            number: documents[number] for number in expected
        }
        (leg,) = collection.ranked({DENSE: NEAR}, both, len(offered))
        assert {chunk_id for chunk_id, _ in leg} == {str(record.id) for record in found.values()}
        fits = metadata_matcher(where or models.Filter(), fields)
        assert {number for number, document in enumerate(documents) if fits(document)} == expected


@settings(max_examples=EXAMPLES)
@given(cases())
def test_every_engine_finds_what_the_oracle_finds(collection: StoreCollection, case: Case) -> None:
    check(collection, case, store(collection, case))


@settings(max_examples=4)
@given(st.lists(cases(), min_size=25, max_size=25))
def test_rebuilding_an_index_changes_no_filter_result(
    tmp_path_factory: pytest.TempPathFactory, several: list[Case]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    first = StoreCollection(EdgeStore(), folder, "kept", len(NEAR), FIELDS)
    batches = [store(first, case) for case in several]
    first.optimize()
    first.close()
    again = StoreCollection(EdgeStore(), folder, "kept", len(NEAR), FIELDS)
    for case, batch in zip(several, batches, strict=True):
        check(again, case, batch)
    again.close()


_NAMES = st.sampled_from([*UNIVERSE, "and", "or", "not", "eq", "in", "gte", "exists", "prefix", "contains", "yaer", ""])
_ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["2024-05-01", "\ud800", "24:00", "0001-01-01T00:00:00+23:59", 2**53, 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=400)
@given(st.dictionaries(_NAMES, _ANYTHING, max_size=3))
def test_whatever_is_asked_is_answered_or_refused_with_its_path(collection: StoreCollection, asked: Any) -> None:
    try:
        where = compile_filters(asked, FIELDS)
    except InvalidFilter as refused:
        paths = [problem.path for problem in refused.problems]
        assert [path for path in paths if path.startswith("filters -> ")] == paths
    else:
        with suppress(InvalidRequest) if "contains" in json.dumps(asked, default=str) else nullcontext():
            collection.count(where)


def test_filters_that_are_not_a_mapping_are_refused() -> None:
    for asked in ([], "suite", 1, [{"suite": "a"}]):
        with pytest.raises(InvalidFilter, match="filters: must be a mapping"):
            compile_filters(asked, FIELDS)  # type: ignore[arg-type]

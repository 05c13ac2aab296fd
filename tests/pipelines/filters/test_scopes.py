"""What is seen from a place in the hierarchy, on real stores, against plain Python."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.chunk_store import ChunkStore, build_vector_store
from pipelines.components.store.payload_filters import metadata_matcher
from pipelines.errors import InvalidScope
from pipelines.filters.combining import all_of
from pipelines.filters.language import compile_filters
from pipelines.filters.scopes import View, place_of, view_from, visible_from, writable_from
from pipelines.profile.sections.documents import Hierarchy, MetadataField, MetadataSection
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.profile.sections.storage import EdgeStore, MemoryStore
from tests.pipelines.filters.hierarchies import LEVELS, PATH, documents, scopes, section, sees

DOCUMENTS = documents()
IDS = [str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))) for number in range(len(DOCUMENTS))]
VECTOR = [1.0, 0.0, 0.0, 0.0]


def compile_scope(scope: Any, declared: MetadataSection, inherit: bool = True) -> models.Filter | None:
    view = view_from(scope, declared, inherit)
    return None if view is None else view.filter


def seen_from(scope: dict[str, str], declared: MetadataSection) -> Callable[[dict[str, Any]], bool]:
    """Whether a document is seen, in lists and by the index's filter."""
    view = view_from(scope, declared)
    assert view is not None
    in_index = metadata_matcher(view.filter, {})

    def seen(metadata: dict[str, Any]) -> bool:
        assert view.shows(metadata) == in_index(metadata)
        return view.shows(metadata)

    return seen


def shown(view: View | None) -> list[int]:
    """The documents of a view, as lists and as the index's filter see them, which must be the same ones."""
    assert view is not None
    listed = [number for number, one in enumerate(DOCUMENTS) if view.shows(one)]
    assert listed == [number for number, one in enumerate(DOCUMENTS) if metadata_matcher(view.filter, {})(one)]
    return listed


def node(number: int) -> TextNode:
    metadata = {**DOCUMENTS[number], "year": number % 3}
    return TextNode(
        id_=IDS[number], text="ledger", embedding=VECTOR, metadata={"metadata": metadata, "document_id": str(number)}
    )


@pytest.fixture(scope="module", params=["edge", "memory"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChunkStore]:
    opened = build_vector_store(
        EdgeStore() if request.param == "edge" else MemoryStore(engine="memory"),
        folder=tmp_path_factory.mktemp("scopes"),
        collection="scopes",
        dimensions=4,
        fields=section().fields,
        encoder=Bm25Encoder(SparseSection()),
    )
    opened.add([node(number) for number in range(len(DOCUMENTS))])
    yield opened
    opened.close()


def found(store: ChunkStore, where: models.Filter | None) -> list[int]:
    """The documents that both legs find, which must be the same ones."""
    words = store.encoder.query("ledger")
    legs = store.legs(VECTOR, words, where=where, depth=len(DOCUMENTS))
    dense, sparse = ({chunk_id for chunk_id, _ in legs[leg]} for leg in ("dense", "sparse"))
    assert dense == sparse
    return sorted(IDS.index(chunk_id) for chunk_id in dense)


@given(st.sampled_from(scopes()), st.booleans(), st.booleans())
def test_a_scope_sees_what_it_inherits_and_nothing_of_a_sibling(
    store: ChunkStore, scope: dict[str, str], inherit: bool, below: bool
) -> None:
    where = compile_scope(scope, section(below=below), inherit)
    expected = [n for n, one in enumerate(DOCUMENTS) if sees(scope, one, inherit=inherit, below=below)]
    assert found(store, where) == expected
    assert shown(view_from(scope, section(below=below), inherit)) == expected


ONE = st.builds(
    lambda field, value: {field: value},
    st.sampled_from((*PATH, "level")),
    st.sampled_from(("fed", "corp", "audit", "acme", "globex")) | st.just("suite"),
).filter(lambda one: "level" not in one or one["level"] in LEVELS)
FILTERS = st.recursive(
    ONE,
    lambda inner: (
        st.builds(lambda parts: {"or": parts}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda part: {"not": part}, inner)
        | st.builds(lambda parts: {"and": parts}, st.lists(inner, min_size=1, max_size=3))
    ),
    max_leaves=5,
)


@given(st.sampled_from(scopes()), FILTERS, st.sampled_from(scopes()), st.booleans())
def test_nothing_that_a_request_says_widens_a_scope(
    store: ChunkStore, held: dict[str, str], filters: dict[str, Any], asked: dict[str, str], inherit: bool
) -> None:
    declared = section()
    bounds = compile_scope(held, declared)
    narrowed = all_of(bounds, compile_filters(filters, declared.fields), compile_scope(asked, declared, inherit))
    seen = found(store, narrowed)
    assert all(sees(held, DOCUMENTS[number]) and sees(asked, DOCUMENTS[number]) for number in seen)


@given(st.sampled_from(scopes()), st.booleans())
def test_documents_written_in_a_place_are_hidden_from_siblings(scope: dict[str, str], below: bool) -> None:
    declared = section(below=below)
    place = place_of(scope, declared)
    reads = visible_from(place)
    for document in (DOCUMENTS[number] for number in shown(writable_from(place))):
        assert reads.shows(document)
        assert all(document[name] == value for name, value in scope.items())
        for other in scopes():
            if any(name in other and other[name] != value for name, value in scope.items()):
                assert not sees(other, document, below=below)


def test_a_place_is_written_at_its_own_level_alone_unless_the_profile_says_below() -> None:
    def levels(below: bool) -> set[str]:
        place = place_of({"suite": "fed"}, section(below=below))
        return {DOCUMENTS[number]["level"] for number in shown(writable_from(place))}

    assert levels(below=False) == {"suite"}
    assert levels(below=True) == {"suite", "module", "entity"}


def test_an_entity_that_names_no_suite_is_seen_from_each_of_its_places() -> None:
    document = {"level": "entity", "entity_id": "acme"}
    for scope in scopes():
        matches = seen_from(scope, section())
        assert matches(document) == (scope.get("entity_id") == "acme")


def test_a_document_of_an_unknown_level_is_invisible() -> None:
    for scope in scopes():
        matches = seen_from(scope, section(below=True))
        assert not matches(scope)
        assert not matches({**scope, "level": "country"})


def test_the_top_level_can_be_named_as_a_place() -> None:
    matches = seen_from({"level": "platform"}, section())
    assert {one["level"] for one in DOCUMENTS if matches(one)} == {"platform"}
    everything = seen_from({"level": "platform"}, section(below=True))
    assert all(map(everything, DOCUMENTS))


@pytest.mark.parametrize("odd", [["fed"], ["fed", "corp"], ["corp"], [], None, 3, {"fed": 1}, "fed ", "Fed"])
def test_values_of_an_earlier_profile_are_seen_as_the_index_sees_them(odd: Any) -> None:
    for level in LEVELS:
        for scope in ({"suite": "fed"}, {"suite": "fed", "entity_id": "acme"}):
            seen_from(scope, section(below=True))({"level": level, "suite": odd, "module": "m", "entity_id": "acme"})


@pytest.mark.parametrize("scope", [None, {}])
def test_no_scope_holds_to_nothing(scope: dict[str, str] | None) -> None:
    assert compile_scope(scope, section()) is None
    assert compile_scope(scope, MetadataSection()) is None


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({"suit": "fed"}, 'scope -> suit: is not in metadata -> hierarchy -> path, did you mean "suite"?'),
        ({"year": 2020}, "scope -> year: is not in metadata -> hierarchy -> path"),
        ({"suite": 3}, "scope -> suite: must be text that is not empty"),
        ({"suite": " "}, "scope -> suite: must be text that is not empty"),
        ({"suite": ["fed"]}, "scope -> suite: must be text"),
        ({"suite": None}, "scope -> suite: must be text that is not empty; leave the key out instead"),
        ({"suite": ""}, "scope -> suite: must be text"),
        ({"module": "audit"}, "scope -> module: identifies a module only together with suite, which is missing"),
        ({"module": "audit", "entity_id": "acme"}, "scope -> module: identifies a module only together with suite"),
        ({"level": "suit"}, 'scope -> level: is not among the values of level, did you mean "suite"?'),
        ({"level": "suite"}, 'scope -> level: is "suite", but the given fields end at the level platform'),
        ({"level": "suite", "suite": "a", "entity_id": "b"}, "end at the level entity; leave it out, or give"),
        (["suite"], "scope: must be a mapping"),
        ("suite", "scope: must be a mapping"),
    ],
)
def test_a_mistake_in_a_scope_is_named(scope: Any, message: str) -> None:
    with pytest.raises(InvalidScope) as caught:
        compile_scope(scope, section())
    assert message in str(caught.value)


def test_a_scope_needs_a_hierarchy_and_its_own_documents_a_scope() -> None:
    with pytest.raises(InvalidScope, match="scope: needs metadata -> hierarchy"):
        compile_scope({"suite": "fed"}, MetadataSection())
    with pytest.raises(InvalidScope, match="inherit: is for scopes"):
        compile_scope(None, section(), inherit=False)


def test_a_level_that_requires_its_whole_path_is_named_by_its_whole_path() -> None:
    strict = section(requires={"entity": PATH})
    with pytest.raises(InvalidScope, match="identifies a entity only together with suite and module"):
        compile_scope({"entity_id": "acme"}, strict)
    assert compile_scope({"suite": "fed", "module": "audit", "entity_id": "acme"}, strict) is not None


def test_a_hierarchy_may_be_of_any_depth_and_of_any_fields() -> None:
    names = [f"floor_{number}" for number in range(1, 9)]
    levels = tuple(f"storey {number}" for number in range(9))
    fields = {name: MetadataField(type="keyword") for name in names}
    house = MetadataSection(
        fields={"storey": MetadataField(type="keyword", values=levels), **fields},
        hierarchy=Hierarchy(level="storey", path=tuple(names)),
    )
    scope = dict.fromkeys(names[:5], "north")
    matches = seen_from(scope, house)
    for number, level in enumerate(levels):
        own = dict.fromkeys(names[:number], "north")
        assert matches({"storey": level, **own}) == (number <= 5)
        assert number == 0 or not matches({"storey": level, **own, names[number - 1]: "south"})

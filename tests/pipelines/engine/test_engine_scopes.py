"""Scopes through the engine: search, answers, LlamaIndex, lists, facets, weights."""

import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines.engine import Engine
from pipelines.errors import InvalidFilter, InvalidRequest, InvalidScope
from pipelines.types import DocumentInput, FacetPlace, FacetValue, Mode
from tests.conftest import OpenTenant

PROFILE = """
tenant: cortx
metadata:
  fields:
    level:     {type: keyword, values: [platform, suite, module, entity], required: true}
    suite:     {type: keyword}
    module:    {type: keyword}
    entity_id: {type: keyword}
    tags:      {type: keywords}
    year:      {type: integer}
  hierarchy: {level: level, path: [suite, module, entity_id] MORE}
store: {engine: memory}
"""
FED, LEDGER = {"suite": "fed"}, {"suite": "fed", "module": "ledger"}
PLACES: dict[str, dict[str, Any]] = {
    "policy": {"level": "platform", "tags": ["rules", "all"]},
    "fed": {"level": "suite", **FED, "tags": ["rules"]},
    "corp": {"level": "suite", "suite": "corp"},
    "fed-ledger": {"level": "module", **LEDGER},
    "fed-audit": {"level": "module", **FED, "module": "audit"},
    "corp-ledger": {"level": "module", "suite": "corp", "module": "ledger"},
    "acme": {"level": "entity", "entity_id": "acme"},
    "fed-acme": {"level": "entity", **FED, "entity_id": "acme"},
    "fed-ledger-globex": {"level": "entity", **LEDGER, "entity_id": "globex"},
}
MODES: tuple[Mode, ...] = ("hybrid", "dense", "sparse")
QUESTION = "What are the reconciliation requirements?"


def fill(engine: Engine) -> Engine:
    documents = [
        DocumentInput(f"Reconciliation requirements of {name}: compare both ledgers daily.", name, metadata=place)
        for name, place in PLACES.items()
    ]
    assert {result.state for result in engine.ingest(documents)} == {"ready"}
    return engine


@pytest.fixture
def engine(open_tenant: OpenTenant) -> Engine:
    return fill(open_tenant(PROFILE.replace("MORE", "")))


def found(engine: Engine, **asked: Any) -> set[str]:
    """The documents that each leg, the answer, LlamaIndex and the list show, which must be the same ones."""
    answered = engine.query_engine(top_k=50, **asked).query(QUESTION).source_nodes
    ways = [
        *({hit.document_id for hit in engine.search(QUESTION, top_k=50, mode=mode, **asked)} for mode in MODES),
        {hit.document_id for hit in engine.answer(QUESTION, top_k=50, **asked).sources},
        {node.node.metadata["document_id"] for node in engine.retriever(top_k=50, **asked).retrieve(QUESTION)},
        {node.node.metadata["document_id"] for node in answered},
        {document.document_id for document in engine.documents(**asked).documents},
    ]
    assert all(way == ways[0] for way in ways)
    return ways[0]


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        ({"suite": "fed"}, {"policy", "fed"}),
        ({"suite": "none"}, {"policy"}),
        (LEDGER, {"policy", "fed", "fed-ledger"}),
        ({**LEDGER, "entity_id": "globex"}, {"policy", "fed", "fed-ledger", "fed-ledger-globex"}),
        ({"suite": "fed", "entity_id": "acme"}, {"policy", "fed", "acme", "fed-acme"}),
        ({"suite": "corp", "entity_id": "acme"}, {"policy", "corp", "acme"}),
        ({"entity_id": "acme"}, {"policy", "acme", "fed-acme"}),
        ({}, set(PLACES)),
    ],
)
def test_a_scope_is_seen_the_same_way_by_every_door(engine: Engine, scope: dict[str, str], seen: set[str]) -> None:
    assert found(engine, scope=scope) == seen


def test_inherit_false_is_the_deepest_place_alone(engine: Engine) -> None:
    assert found(engine, scope=LEDGER, inherit=False) == {"fed-ledger"}
    assert found(engine, scope={"suite": "fed", "entity_id": "acme"}, inherit=False) == {"acme", "fed-acme"}
    with pytest.raises(InvalidScope, match="inherit: is for scopes"):
        engine.search(QUESTION, inherit=False)


def test_a_profile_may_let_a_scope_see_what_lies_below_it(open_tenant: OpenTenant) -> None:
    engine = fill(open_tenant(PROFILE.replace("MORE", ", below: true")))
    below_fed = {"fed", "fed-ledger", "fed-audit", "fed-acme", "fed-ledger-globex"}
    assert found(engine, scope={"suite": "fed"}) == {"policy"} | below_fed
    assert found(engine, scope={"suite": "fed"}, inherit=False) == {"fed"}


def test_filters_narrow_a_scope(engine: Engine) -> None:
    assert found(engine, scope=LEDGER, filters={"level": ["suite", "entity"]}) == {"fed"}
    assert found(engine, scope=FED, filters={"or": [{"suite": "corp"}, {"level": "platform"}]}) == {"policy"}
    assert found(engine, scope=FED, filters={"not": {"suite": "fed"}}) == {"policy"}


def test_an_answer_says_that_the_scope_left_nothing(engine: Engine) -> None:
    answer = engine.answer(QUESTION, scope={"suite": "fed"}, filters={"level": "entity"})
    assert (answer.abstained, answer.reason) == (True, "filtered_out")


def test_mistakes_are_named_at_every_door(engine: Engine) -> None:
    for ask in (engine.search, engine.answer):
        with pytest.raises(InvalidScope, match=r'scope -> modul: .* did you mean "module"'):
            ask(QUESTION, scope={"modul": "ledger"})
    for look in (engine.documents, engine.facets):
        with pytest.raises(InvalidScope, match="identifies a module only together with suite"):
            look(scope={"module": "ledger"})
        with pytest.raises(InvalidFilter, match="unknown field"):
            look(filters={"colour": "red"})
        with pytest.raises(InvalidRequest, match="limit: 0 is not between"):
            look(limit=0)


def test_a_document_without_what_its_level_requires_is_refused_by_name(engine: Engine) -> None:
    offered = DocumentInput("Some text about ledgers.", "lost", metadata={"level": "module", "module": "ledger"})
    (result,) = engine.ingest([offered])
    assert (result.state, result.code) == ("failed", "document_invalid")
    assert result.reason == 'metadata -> suite: is required of a document of the level "module"'


def test_weights_and_what_lies_below_make_no_document_stale(open_tenant: OpenTenant, tmp_path: Any) -> None:
    stored = PROFILE.replace("store: {engine: memory}", "")
    with open_tenant(stored.replace("MORE", ""), tmp_path) as first:
        fill(first)
    with open_tenant(stored.replace("MORE", ", below: true, weights: {suite: 2}"), tmp_path) as second:
        assert second.stats().stale == 0
    with open_tenant(stored.replace("MORE", ", requires: {entity: [suite, entity_id]}"), tmp_path) as third:
        assert third.stats().stale == len(PLACES)


def test_weights_put_levels_first_or_last(open_tenant: OpenTenant) -> None:
    plain = fill(open_tenant(PROFILE.replace("MORE", "")))
    weighted = fill(open_tenant(PROFILE.replace("MORE", ", weights: {entity: 3, platform: 0.1}")))
    before, after = plain.search(QUESTION, top_k=9), weighted.search(QUESTION, top_k=9)
    assert {hit.document_id for hit in before} == {hit.document_id for hit in after} == set(PLACES)
    assert after[0].metadata["level"] == "entity"
    assert after[-1].document_id == "policy"
    scores = [hit.score for hit in after]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert [hit.scores["level"].rank for hit in after] == list(range(1, 10))
    assert {hit.scores["fused"] for hit in after} == {hit.scores["fused"] for hit in before}
    for top_k in range(1, 10):
        fewer = weighted.search(QUESTION, top_k=top_k)
        assert [hit.chunk_id for hit in fewer] == [hit.chunk_id for hit in after][:top_k]
        assert [hit.score for hit in fewer] == pytest.approx(scores[:top_k])  # but for the last bits


def test_without_weights_no_stage_says_anything_of_levels(engine: Engine) -> None:
    assert all("level" not in hit.scores for hit in engine.search(QUESTION))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def on_either(
    request: pytest.FixtureRequest, open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """The tenant with its catalogue in either database."""
    profile = PROFILE.replace("MORE", "")
    if request.param == "sqlite":
        yield fill(open_tenant(profile))
        return
    server = os.environ.get("FOOTNOTE_TEST_POSTGRES")
    if server is None:
        pytest.skip("FOOTNOTE_TEST_POSTGRES names no PostgreSQL server")
    name = f"footnote_test_{uuid.uuid4().hex[:12]}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    url = sa.make_url(server).set(database=name).render_as_string(hide_password=False)
    monkeypatch.setenv("FACETS_DATABASE", url)
    stored = profile.replace("store: {engine: memory}", 'catalogue: {url: "${FACETS_DATABASE}"}')
    with open_tenant(stored) as engine:
        yield fill(engine)
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


def test_facets_count_the_built_in_fields_that_documents_share(open_tenant: OpenTenant) -> None:
    text = "The dog sleeps in the house, and the cat sleeps on the roof of the house."
    with open_tenant("tenant: pets\nstore: {engine: memory}\nmetadata: {fields: {folder: {type: keyword}}}") as engine:
        engine.ingest([DocumentInput(text, "care/dogs/sleep.md"), DocumentInput(text, "note.txt")])
        fields = engine.facets().fields
    assert fields["extension"].values == (FacetValue("md", 1), FacetValue("txt", 1))
    assert fields["language"].values == (FacetValue("en", 2),)
    assert fields["folder"].values == ()  # the declared field takes the built-in one's place


def test_facets_count_documents_by_value_and_down_the_hierarchy(on_either: Engine) -> None:
    facets = on_either.facets()
    assert facets.documents == len(PLACES)
    assert facets.snapshot == on_either.stats().snapshot
    assert {"level", "suite", "module", "entity_id", "tags"} == set(facets.fields) - {"language", "extension"}
    assert facets.fields["level"].values == (
        FacetValue("entity", 3),
        FacetValue("module", 3),
        FacetValue("suite", 2),
        FacetValue("platform", 1),
    )
    assert facets.fields["tags"].values == (FacetValue("rules", 2), FacetValue("all", 1))
    ledger = FacetPlace("module", "ledger", 2, 1, (FacetPlace("entity_id", "globex", 1, 1, (), 0),), 0)
    fed = FacetPlace(
        "suite",
        "fed",
        5,
        1,
        (ledger, FacetPlace("entity_id", "acme", 1, 1, (), 0), FacetPlace("module", "audit", 1, 1, (), 0)),
        0,
    )
    corp = FacetPlace("suite", "corp", 2, 1, (FacetPlace("module", "ledger", 1, 1, (), 0),), 0)
    acme = FacetPlace("entity_id", "acme", 1, 1, (), 0)
    assert facets.hierarchy == FacetPlace(None, None, 9, 1, (fed, corp, acme), 0)


def test_facets_are_of_the_filter_and_the_scope(on_either: Engine) -> None:
    facets = on_either.facets(scope=LEDGER, filters={"level": ["suite", "module"]})
    assert facets.documents == 2
    assert facets.fields["suite"].values == (FacetValue("fed", 2),)
    assert facets.fields["entity_id"].values == ()
    assert facets.hierarchy is not None
    assert [(place.value, place.documents) for place in facets.hierarchy.below] == [("fed", 2)]


def test_facets_follow_what_is_readable(on_either: Engine) -> None:
    on_either.delete("corp")
    on_either.ingest([DocumentInput("Reconciliation moved to the platform.", "acme", metadata={"level": "platform"})])
    on_either.ingest([DocumentInput("", "broken", metadata={"level": "platform"})])
    facets = on_either.facets()
    assert facets.documents == len(PLACES) - 1
    assert {value.value: value.documents for value in facets.fields["level"].values} == {
        "entity": 2,
        "module": 3,
        "suite": 1,
        "platform": 2,
    }


def test_the_rarest_values_are_left_out_and_counted(engine: Engine) -> None:
    facets = engine.facets(limit=1)
    assert facets.fields["suite"].values == (FacetValue("fed", 5),)
    assert facets.fields["suite"].more == 1
    assert facets.hierarchy is not None
    assert [place.value for place in facets.hierarchy.below] == ["fed"]
    assert facets.hierarchy.more == 2


def test_a_tenant_without_a_hierarchy_has_facets_of_its_fields(open_tenant: OpenTenant) -> None:
    engine = open_tenant("metadata: {fields: {kind: {type: keyword}, year: {type: integer}}}\nstore: {engine: memory}")
    engine.ingest([DocumentInput("A text about dogs.", "a", metadata={"kind": "dog", "year": 2020, "undeclared": "x"})])
    facets = engine.facets()
    assert facets.hierarchy is None
    assert set(facets.fields) == {"kind"}
    with pytest.raises(InvalidScope, match="needs metadata -> hierarchy"):
        engine.facets(scope={"kind": "dog"})


def test_facets_join_what_filters_that_ignore_case_join(open_tenant: OpenTenant) -> None:
    fields = (
        "topic: {type: keyword, ignore_case: true}, tags: {type: keywords, ignore_case: true}, kind: {type: keyword}"
    )
    engine = open_tenant(f"metadata: {{fields: {{{fields}}}}}\nstore: {{engine: memory}}")
    given: list[dict[str, Any]] = [
        {"topic": "Hull Paint", "tags": ["Red", "red"], "kind": "A"},
        {"topic": "hull paint", "tags": ["red"], "kind": "a"},
        {"topic": "Hull Paint", "tags": ["RED", "Blue"], "kind": "a"},
        {"topic": "Straße", "kind": "a"},
        {"topic": "STRASSE", "kind": "A"},
    ]
    engine.ingest([DocumentInput(f"Text {n}.", f"d{n}", metadata=one) for n, one in enumerate(given)])
    counted = engine.facets().fields
    assert counted["topic"].values == (FacetValue("Hull Paint", 3), FacetValue("STRASSE", 2))
    assert counted["tags"].values == (FacetValue("red", 3), FacetValue("Blue", 1))
    assert counted["kind"].values == (FacetValue("a", 3), FacetValue("A", 2))
    for name in ("topic", "tags"):
        for value in counted[name].values:
            assert engine.documents(filters={name: value.value}).total == value.documents
    assert engine.facets(limit=1).fields["topic"].more == 1


def test_documents_by_their_dates_are_those_of_the_scope(engine: Engine) -> None:
    suite = engine.within({"suite": "corp"})
    assert set(suite.created_between(None, None)) == {one.document_id for one in suite.documents().documents}
    assert set(engine.created_between(None, None)) == set(PLACES)

"""`EdgeClient` as a client: what it takes, what it gives, and what it refuses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qdrant_edge as edge
from edge_points import DENSE, WORDS, make, number_is, numbers, point_id, points
from qdrant_client import QdrantClient, models

from pipelines.components.store.edge.client import EdgeClient
from pipelines.components.store.edge.collection import edge_errors
from pipelines.errors import Conflict, InvalidRequest, NotFound, StoreUnavailable


@pytest.fixture
def client(tmp_path: Path) -> Iterator[EdgeClient]:
    with EdgeClient(tmp_path / "vectors") as made:
        make(made)
        yield made


# ---------------------------------------------------------------------------------------------------------------------
# Collections


def test_collections_are_listed_and_deleted(client: EdgeClient) -> None:
    make(client, "other")
    assert [found.name for found in client.get_collections().collections] == ["c", "other"]
    assert client.delete_collection("other") is True
    assert client.delete_collection("other") is False
    assert [found.name for found in client.get_collections().collections] == ["c"]
    with pytest.raises(NotFound, match="other"):
        client.count("other")


def test_a_collection_can_be_made_once(client: EdgeClient) -> None:
    with pytest.raises(Conflict, match="already exists"):
        make(client)


@pytest.mark.parametrize("name", ["", "../c", "a/b", ".hidden", "x" * 300])
def test_an_invalid_folder_name_is_refused(client: EdgeClient, name: str) -> None:
    with pytest.raises(InvalidRequest, match="collection_name"):
        client.collection_exists(name)


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"shard_number": 2}, "shard_number"),
        ({"replication_factor": 3}, "replication_factor"),
        ({"sharding_method": models.ShardingMethod.CUSTOM}, "sharding_method"),
        ({"wal_config": models.WalConfigDiff(wal_capacity_mb=1)}, "wal_config"),
        ({"quantization_config": models.BinaryQuantization(binary=models.BinaryQuantizationConfig())}, "quantization"),
        ({"vectors_config": {"dense": DENSE.model_copy(update={"memory": models.Memory.COLD})}}, "memory"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_unsupported_parameters_are_refused_and_not_ignored(
    client: EdgeClient, config: dict[str, object], named: str
) -> None:
    with pytest.raises(InvalidRequest, match=named):
        client.create_collection("other", **({"vectors_config": {"dense": DENSE}} | config))
    assert not client.collection_exists("other")


SEVERAL = models.VectorParams(
    size=4,
    distance=models.Distance.DOT,
    multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
)


def test_a_point_may_have_several_vectors_of_a_name_and_the_best_product_of_each_asked_one_counts(
    client: EdgeClient,
) -> None:
    client.create_collection("several", vectors_config={"words": SEVERAL})
    vectors = {1: [[1.0, 0, 0, 0], [0, 1.0, 0, 0]], 2: [[0.5, 0, 0, 0]], 3: [[0, 0, 2.0, 0]] * 900}
    points = [models.PointStruct(id=key, vector={"words": several}) for key, several in vectors.items()]
    client.upsert("several", points)
    found = client.query_points("several", query=[[1.0, 0, 0, 0], [1.0, 1.0, 0, 0]], using="words", limit=2).points
    assert [(point.id, point.score) for point in found] == [(1, 2.0), (2, 1.0)]
    kept = {point.id: point.vector["words"] for point in client.retrieve("several", [1, 2, 3], with_vectors=True)}
    assert kept == vectors


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        ([1.0, 0.0, 0.0, 0.0], "must be a list of vectors"),
        ([], "must be a list of vectors"),
        ([[1.0, 0.0, 0.0, 0.0], [1.0]], "has 1 dimensions, the collection 4"),
        ([[1.0, 0.0, 0.0, float("nan")]], "not finite"),
    ],
)
def test_several_vectors_are_checked_before_any_is_written(client: EdgeClient, vector: list[Any], said: str) -> None:
    client.create_collection("several", vectors_config={"words": SEVERAL})
    good = models.PointStruct(id=1, vector={"words": [[1.0, 0.0, 0.0, 0.0]]})
    with pytest.raises(InvalidRequest, match=said):
        client.upsert("several", [good, models.PointStruct.model_construct(id=2, vector={"words": vector})])
    assert client.count("several").count == 0


def test_what_means_nothing_in_one_process_is_taken(client: EdgeClient) -> None:
    client.create_collection("other", vectors_config=DENSE, shard_number=1, replication_factor=1, timeout=5)
    client.upsert("other", [models.PointStruct(id=1, vector=[1.0, 0.0, 0.0, 0.0])], wait=True)
    assert client.count("other", exact=True, timeout=1).count == 1


def test_a_collection_may_have_one_vector_without_a_name_and_be_quantised(client: EdgeClient) -> None:
    quantised = models.ScalarQuantization(scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8))
    client.create_collection("other", vectors_config=DENSE, quantization_config=quantised)
    client.upsert("other", [models.PointStruct(id=1, vector=[3.0, 0.0, 4.0, 0.0]), *unnamed(2, 5)])
    assert client.retrieve("other", [1], with_vectors=True)[0].vector == pytest.approx([0.6, 0.0, 0.8, 0.0])
    assert client.query_points("other", np.array([3.0, 0.0, 4.0, 0.0]), limit=1).points[0].id == 1
    config = client.get_collection("other").config
    assert config.params.vectors == DENSE
    assert config.quantization_config == quantised


def test_each_vector_of_a_collection_is_quantised_on_its_own(client: EdgeClient) -> None:
    quantised = models.ScalarQuantization(scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8))
    vectors = {"fine": DENSE, "coarse": DENSE.model_copy(update={"quantization_config": quantised})}
    client.create_collection("other", vectors_config=vectors)
    assert client.get_collection("other").config.params.vectors == vectors
    off = models.VectorParamsDiff(quantization_config=models.Disabled.DISABLED, on_disk=True)
    client.update_collection("other", vectors_config={"coarse": off})
    kept = client.get_collection("other").config.params.vectors
    assert kept == {"fine": DENSE, "coarse": DENSE.model_copy(update={"on_disk": True})}


def test_a_missing_vector_is_not_changed(client: EdgeClient) -> None:
    with pytest.raises(InvalidRequest, match="no such dense vector"):
        client.update_collection("c", vectors_config={"other": models.VectorParamsDiff(on_disk=True)})


def unnamed(first: int, last: int) -> list[models.PointStruct]:
    return [models.PointStruct(id=number, vector=[0.0, 1.0, 0.0, float(number)]) for number in range(first, last)]


@pytest.mark.parametrize(
    "schema",
    [
        models.PayloadSchemaType.TEXT,
        models.PayloadSchemaType.GEO,
        models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, nested="a"),
        None,
    ],
)
def test_an_index_that_is_not_carried_out_is_refused(client: EdgeClient, schema: object) -> None:
    with pytest.raises(InvalidRequest, match="field_schema"):
        client.create_payload_index("c", "field", schema)


# ---------------------------------------------------------------------------------------------------------------------
# Points


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        ({"dense": [1.0, 2.0]}, "has 2 dimensions, the collection 4"),
        ({"dense": [1.0, 2.0, 3.0, float("nan")]}, "not finite"),
        ({"dense": [1.0, 2.0, 3.0, float("inf")]}, "not finite"),
        ({"dance": [1.0, 2.0, 3.0, 4.0]}, "no such dense vector"),
        ({"dense": models.SparseVector(indices=[1], values=[1.0])}, "no such sparse vector"),
        ({"words": [1.0, 2.0, 3.0, 4.0]}, "no such dense vector"),
        ({"words": models.SparseVector(indices=[1], values=[float("nan")])}, "not finite"),
        ([1.0, 2.0, 3.0, 4.0], "no such dense vector"),
    ],
)
def test_one_bad_point_refuses_all_before_any_is_stored(client: EdgeClient, vector: object, said: str) -> None:
    bad = models.PointStruct(id=point_id(99), vector=vector)
    with pytest.raises(InvalidRequest, match=said):
        client.upsert("c", [*points(0, 3), bad])
    assert client.count("c").count == 0


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_a_payload_that_is_not_json_is_refused(client: EdgeClient, value: object) -> None:
    with pytest.raises(InvalidRequest, match="payload"):
        client.upsert("c", [*points(0, 3), *points(3, 4, bad=value)])
    with pytest.raises(InvalidRequest, match="payload"):
        client.set_payload("c", {"bad": value}, points=[point_id(1)])
    assert client.count("c").count == 0


def test_an_invalid_id_is_refused(client: EdgeClient) -> None:
    bad = models.PointStruct(id="seven", vector={"dense": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(InvalidRequest, match='"seven" is not a point id'):
        client.upsert("c", [*points(0, 3), bad])
    assert client.count("c").count == 0


def test_changes_to_missing_points_are_ignored(client: EdgeClient) -> None:
    client.upsert("c", points(0, 3))
    missing, here = point_id(77), point_id(1)
    client.set_payload("c", {"a": 1}, points=[missing, here])
    client.delete_payload("c", ["n"], points=[missing, here])
    client.delete("c", [missing])
    assert client.retrieve("c", [missing]) == []
    assert client.retrieve("c", [here])[0].payload == {"a": 1}
    assert client.count("c").count == 3


def test_payload_can_be_set_inside_a_key(client: EdgeClient) -> None:
    client.upsert("c", points(0, 1, deep={"a": {"b": 1}}))
    client.set_payload("c", {"c": 2}, points=number_is(0), key="deep.a")
    assert client.retrieve("c", [point_id(0)])[0].payload["deep"] == {"a": {"b": 1, "c": 2}}


# ---------------------------------------------------------------------------------------------------------------------
# Questions


@pytest.fixture
def both(client: EdgeClient) -> tuple[EdgeClient, QdrantClient]:
    """The same points in Edge and in qdrant-client's own memory mode."""
    memory = QdrantClient(":memory:")
    memory.create_collection("c", vectors_config={"dense": DENSE}, sparse_vectors_config={"words": WORDS})
    for one in (client, memory):
        one.upsert("c", points(0, 50))
    return client, memory


def test_pages_continue_where_the_last_one_ended(both: tuple[EdgeClient, QdrantClient]) -> None:
    for limit in (7, 50, 60):
        answers = []
        for client in both:
            offset, pages = None, []
            while True:
                page, offset = client.scroll("c", limit=limit, offset=offset, with_payload=["n"])
                pages.append([(record.id, record.payload) for record in page])
                if offset is None:
                    break
            answers.append(pages)
        assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "selection",
    [
        True,
        False,
        ["n"],
        models.PayloadSelectorInclude(include=["n"]),
        models.PayloadSelectorExclude(exclude=["n"]),
    ],
)
def test_answers_carry_the_payload_that_was_asked(both: tuple[EdgeClient, QdrantClient], selection: object) -> None:
    ours, theirs = (
        [record.payload for record in client.retrieve("c", [point_id(3)], with_payload=selection)] for client in both
    )
    assert ours == theirs


def test_the_fusion_of_prefetched_legs_is_the_servers(both: tuple[EdgeClient, QdrantClient]) -> None:
    legs = [
        models.Prefetch(query=[1.0, 0.5, 0.0, 0.0], using="dense", limit=20),
        models.Prefetch(query=[0.0, 0.0, 1.0, 0.5], using="dense", limit=20),
    ]
    queries = [models.FusionQuery(fusion=models.Fusion.RRF), models.RrfQuery(rrf=models.Rrf(k=60))]
    for query in queries:
        ours, theirs = (
            {point.id: point.score for point in client.query_points("c", prefetch=legs, query=query, limit=50).points}
            for client in both
        )
        assert ours == pytest.approx(theirs, abs=1e-5)


def test_thresholds_and_offsets_cut_as_the_servers_do(both: tuple[EdgeClient, QdrantClient]) -> None:
    ours, theirs = (
        [
            point.id
            for point in client.query_points(
                "c", [1.0, 0.5, 0.0, 0.0], using="dense", limit=10, offset=3, score_threshold=0.4
            ).points
        ]
        for client in both
    )
    assert ours == theirs != []


def test_the_short_ways_to_ask_say_what_the_long_ones_do(client: EdgeClient) -> None:
    client.upsert("c", points(0, 50))
    where = models.Filter(must_not=[models.FieldCondition(key="n", range=models.Range(lt=10))])
    vectors = {"dense": [1.0, 0.5, 0.0, 0.0], "words": models.SparseVector(indices=[2, 5], values=[1.0, 1.0])}
    answers = [client.query_points("c", vector, using=name, query_filter=where) for name, vector in vectors.items()]
    expected = [[(point.id, point.score) for point in answer.points] for answer in answers]
    questions = [("dense", vectors["dense"], models.SearchParams(hnsw_ef=64)), ("words", vectors["words"], None)]
    assert client.ranked("c", questions, where, limit=10) == expected != [[], []]
    wanted = [point_id(3), point_id(99), point_id(7)]
    assert client.payloads("c", wanted) == {found.id: found.payload for found in client.retrieve("c", wanted)}


@pytest.mark.parametrize(
    "query",
    [
        point_id(1),
        models.RecommendQuery(recommend=models.RecommendInput(positive=[point_id(1)])),
        models.OrderByQuery(order_by="n"),
        models.SampleQuery(sample=models.Sample.RANDOM),
        None,
    ],
)
def test_a_kind_of_question_that_is_not_carried_out_is_refused(client: EdgeClient, query: object) -> None:
    with pytest.raises(InvalidRequest, match="query"):
        client.query_points("c", query, using="dense")


def test_a_question_that_does_not_fit_the_collection_is_an_error_with_the_reason(client: EdgeClient) -> None:
    client.upsert("c", points(0, 3))
    with pytest.raises(InvalidRequest, match="expected dim: 4, got 2"):
        client.query_points("c", [1.0, 2.0], using="dense")
    with pytest.raises(InvalidRequest, match="dance"):
        client.query_points("c", [1.0, 2.0, 3.0, 4.0], using="dance")
    with pytest.raises(InvalidRequest, match="index"):
        client.facet("c", "unindexed")
    for key in ("no path", "a[b"):
        with pytest.raises(InvalidRequest, match="path"):
            client.facet("c", key)
        with pytest.raises(InvalidRequest, match="path"):
            client.create_payload_index("c", key, models.PayloadSchemaType.KEYWORD)
        with pytest.raises(InvalidRequest, match="path"):
            client.delete_payload("c", [key], points=[point_id(1)])
        with pytest.raises(InvalidRequest, match="path"):
            client.count("c", models.Filter(must=[models.FieldCondition(key=key, is_null=True)]))


def test_internal_errors_of_edge_are_not_blamed_on_the_caller(tmp_path: Path) -> None:
    for said in ("Inconsistent storage error: x", "something new"):
        with pytest.raises(StoreUnavailable, match=said), edge_errors():
            raise Exception(said)
    with pytest.raises(StoreUnavailable, match="does not exist"), edge_errors():
        edge.EdgeShard.load(str(tmp_path / "nowhere"))


def test_the_collection_reports_its_size_and_configuration(client: EdgeClient) -> None:
    client.upsert("c", points(0, 12))
    info = client.get_collection("c")
    assert info.points_count == 12
    assert info.config.params.vectors == {"dense": DENSE}
    assert info.config.params.sparse_vectors == {"words": WORDS}
    assert info.payload_schema["n"].data_type == models.PayloadSchemaType.INTEGER
    assert client.info().title == "Qdrant Edge"


def test_flushing_loses_and_doubles_nothing(client: EdgeClient) -> None:
    client.upsert("c", points(0, 10))
    client.flush()
    client.upsert("c", points(5, 15))
    client.flush()
    assert numbers(client) == [*range(15)]

"""Late interaction in whole searches, on the bundled model."""

from pathlib import Path

import numpy as np
import pytest

from pipelines.components.embedding import TokenEmbedder
from pipelines.components.store.chunk_nodes import indexed_text
from pipelines.engine import Engine
from pipelines.errors import ProfileError
from pipelines.types import DocumentInput, SearchResult
from tests.conftest import OpenTenant

PROFILE = """
tenant: kennel
chunking: {size: 32, overlap: 8}
store: {engine: %s}
rerank: %s
"""
STORED = "[{type: late_interaction, weight: 2, depth: 6}]"
NOT_STORED = "[{type: late_interaction, weight: 2, depth: 6, store: false}]"
WITHOUT = "[]"
QUESTION = "How long does a small dog run every day?"
TEXTS = {
    "beagle": "A beagle runs for an hour every day, and sleeps after it.",
    "collie": "A collie is a dog that herds sheep on large farms.",
    "manx": "A manx is a small cat without a tail.",
    "parrot": "How long does a parrot live? Some parrots live for eighty years.",
    "budgie": "Every day a budgie sings, small as it is.",
    "pug": "The pug: a small dog, which walks for half an hour a day.",
    "goldfish": "A goldfish swims in a bowl.",
    "horse": "A horse runs long ways every day.",
}


def documents(texts: dict[str, str] = TEXTS) -> list[DocumentInput]:
    return [DocumentInput(content=text, document_id=name, title=name) for name, text in texts.items()]


def opened(open_tenant: OpenTenant, rerank: str = STORED, data: Path | None = None, engine: str = "edge") -> Engine:
    return open_tenant(PROFILE % (engine, rerank), data)


def names(result: SearchResult) -> list[str]:
    return [hit.document_id for hit in result]


def failures(result: SearchResult) -> list[str | None]:
    return [stage.failure for stage in result.trace.stages] if result.trace else []


def maxsims(engine: Engine, ids: list[str]) -> np.ndarray:
    """What the stage should find, worked out from the texts."""
    space = engine._parts.indexes.current.space
    embedder = engine._parts.indexes.embedder
    assert isinstance(embedder, TokenEmbedder)
    words = embedder.embedded([indexed_text(payload) for payload in space.store.fetch(ids).values()]).tokens
    question = embedder.question(QUESTION)
    return np.array([(question @ one.astype(np.float32).T).max(axis=1).sum() for one in words])


@pytest.mark.parametrize("engine", ["edge", "memory"])
@pytest.mark.parametrize("rerank", [STORED, NOT_STORED])
def test_candidates_are_put_in_order_by_their_fused_score_and_the_share_of_their_maxsim(
    open_tenant: OpenTenant, engine: str, rerank: str
) -> None:
    tenant = opened(open_tenant, rerank, engine=engine)
    tenant.ingest(documents())
    result = tenant.search(QUESTION, top_k=8)
    (run,) = result.trace.stages
    before = run.before[:6]
    found = maxsims(tenant, [hit.chunk_id for hit in before])
    shares = (found - found.min()) / (found.max() - found.min())
    scores = [hit.scores["fused"].score + 2 * share for hit, share in zip(before, shares, strict=True)]
    order = [before[index].document_id for index in np.argsort(-np.array(scores))]
    assert run.failure is None
    assert names(result)[:6] == order
    assert names(result)[:6] != [hit.document_id for hit in before]
    given = [hit.scores["late_interaction"].score for hit in result.hits[:6]]
    assert given == pytest.approx(sorted(scores, reverse=True), abs=0.1)
    assert not any("late_interaction" in hit.scores for hit in result.hits[6:])


def test_the_first_hits_do_not_depend_on_top_k(open_tenant: OpenTenant) -> None:
    tenant = opened(open_tenant)
    tenant.ingest(documents())
    assert names(tenant.search(QUESTION, top_k=3)) == names(tenant.search(QUESTION, top_k=8))[:3]


def test_words_stay_right_through_new_versions_deletions_and_history(open_tenant: OpenTenant) -> None:
    tenant = opened(open_tenant)
    tenant.ingest(documents())
    before = tenant.search(QUESTION, top_k=8)
    later = "A goldfish may run, a small dog does so every day."
    tenant.ingest(documents({"goldfish": later}))
    tenant.delete("pug")
    now = tenant.search(QUESTION, top_k=8)
    assert failures(now) == [None]
    assert names(now)[0] == "goldfish"
    assert "pug" not in names(now)
    assert names(tenant.search(QUESTION, top_k=8, as_of=before.snapshot)) == names(before)
    tenant.delete("goldfish", purge=True)
    assert "goldfish" not in names(tenant.search(QUESTION, top_k=8))


def test_enabled_later_it_is_skipped_by_name_until_reembedding(open_tenant: OpenTenant, tmp_path: Path) -> None:
    with opened(open_tenant, WITHOUT) as plain:
        plain.ingest(documents())
        fused = names(plain.search(QUESTION, top_k=8))
    tenant = opened(open_tenant)
    assert tenant.stats().stale == len(TEXTS)
    waiting = tenant.search(QUESTION, top_k=8)
    assert names(waiting) == fused
    assert "footnote reembed" in (failures(waiting)[0] or "")
    tenant.ingest(documents({"eel": "An eel is long, and does not run."}))  # still goes into the store in use
    assert "eel" in names(tenant.search(QUESTION, top_k=9))
    tenant.reembed()
    assert tenant.stats().stale == 0
    after = tenant.search(QUESTION, top_k=9)
    assert failures(after) == [None]
    fresh = opened(open_tenant, data=tmp_path / "fresh")
    fresh.ingest(documents() + documents({"eel": "An eel is long, and does not run."}))
    shares = [{hit.document_id for hit in one.hits[:2]} for one in (after, fresh.search(QUESTION, top_k=9))]
    assert shares[0] == shares[1]


def test_disabled_again_both_legs_and_stored_data_still_work(open_tenant: OpenTenant) -> None:
    with opened(open_tenant) as late:
        late.ingest(documents())
    tenant = opened(open_tenant, WITHOUT)
    tenant.ingest(documents({"eel": "An eel is long, and does not run."}))
    found = tenant.search(QUESTION, top_k=9)
    assert {"dense", "sparse"} <= {leg for hit in found for leg in hit.scores}
    assert "eel" in names(found)
    assert tenant.stats().stale == len(TEXTS) + 1
    tenant.reembed()
    assert tenant.stats().stale == 0
    assert names(tenant.search(QUESTION, top_k=9))


def test_what_is_not_stored_needs_no_new_embedding(open_tenant: OpenTenant) -> None:
    with opened(open_tenant, WITHOUT) as plain:
        plain.ingest(documents())
    tenant = opened(open_tenant, NOT_STORED)
    assert tenant.stats().stale == 0
    assert failures(tenant.search(QUESTION)) == [None]


def test_what_the_doctor_makes_again_has_its_words(open_tenant: OpenTenant) -> None:
    tenant = opened(open_tenant)
    tenant.ingest(documents())
    store = tenant._parts.indexes.current.store
    ids = [chunk_id for chunk_id, _ in store.scan()]
    before = maxsims(tenant, ids)
    store.delete_nodes(ids[:3])
    assert tenant.doctor(repair=True).findings
    embedder = tenant._parts.indexes.embedder
    assert isinstance(embedder, TokenEmbedder)
    found = store.alike(embedder.question(QUESTION), ids)
    assert [found[chunk_id] for chunk_id in ids] == pytest.approx(before.tolist(), abs=0.02)


def test_a_model_that_gives_no_tokens_is_a_fault_of_the_profile(open_tenant: OpenTenant) -> None:
    section = "embedding: {provider: tei, model: x, base_url: http://127.0.0.1:1, dimensions: 4}"
    with pytest.raises(ProfileError, match="late_interaction needs an embedding model"):
        open_tenant(f"{PROFILE % ('edge', STORED)}\n{section}\n")

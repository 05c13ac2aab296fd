"""What a whole profile may say, and that each name it may choose is one that its part knows."""

from typing import get_args

import pytest
from pydantic import ValidationError
from qdrant_edge import Bm25, Bm25Config

from pipelines.profile.loader import load_profile
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.values import Language

FULL = """
extends: ../embedded.yaml
tenant: bank
title: Bank rules
contract: cortx
knowledge: {path: knowledge, sync: startup}
metadata:
  fields:
    level:     {type: keyword, values: [platform, suite, module, entity], required: true}
    suite:     {type: keyword}
    module:    {type: keyword}
    entity_id: {type: keyword}
    source:    {type: keyword}
  hierarchy: {level: level, path: [suite, module, entity_id]}
chunking:   {splitter: sentence, size: 512, overlap: 50, unit: token}
extractors: [frontmatter, headings]
embedding:  {provider: huggingface, model: bundled, backend: onnx}
store:      {engine: edge, hnsw: {m: 16, ef_construct: 100}}
retrieval:  {mode: hybrid, fusion: convex, dense_weight: 0.5, candidates: 100, top_k: 5}
rerank:     [{type: mmr, diversity: 0.2}]
llm:        {provider: ollama, model: "llama3.1:8b", base_url: "${OLLAMA:-http://127.0.0.1:11434}", keep_alive: -1,
             fallback: extractive}
answer:     {prompt: prompts/answer.md, max_context_tokens: 3000, abstain_below: 0.35, verify: true}
limits:     {question_chars: [1, 4000], content_chars: [1, 5000000], top_k: 100, requests_per_minute: 60}
auth:
  keys:
    - {name: ops, secret: "${OPS_KEY}", role: admin}
    - {name: acme, secret: "${ACME_KEY}", role: reader, scope: {suite: payments, entity_id: acme}}
"""


@pytest.fixture
def full(write) -> Profile:
    write("# as in configs/", "embedded.yaml")
    write("# system\n# user\n{{sources}} {{question}}", "bank/prompts/answer.md")
    return load_profile(write(FULL, "bank/profile.yaml"), {"OPS_KEY": "a", "ACME_KEY": "b"}).profile


def test_every_section_can_be_written(full):
    assert full.metadata.hierarchy.path == ("suite", "module", "entity_id")
    assert full.llm.keep_alive == -1
    assert full.llm.base_url == "http://127.0.0.1:11434"
    assert full.auth.keys[1].scope == {"suite": "payments", "entity_id": "acme"}
    assert full.limits.requests_per_minute == 60
    assert full.rerank[0].diversity == 0.2


def test_words_that_yaml_takes_for_booleans_mean_what_their_place_means(load):
    profile = load(
        "tenant: no\ntitle: 2026-01-25\nknowledge: {sync: off}\nanswer: {verify: no}\n"
        "metadata: {fields: {on: {type: keyword, values: [yes, no, 007]}}}"
    )
    assert (profile.tenant, profile.title, profile.knowledge.sync) == ("no", "2026-01-25", "off")
    assert profile.answer.verify is False
    assert profile.metadata.fields["on"].values == ("yes", "no", "007")


def test_a_dump_describes_the_same_profile(full):
    dumped = full.dump()
    dumped["auth"]["keys"] = []
    without_keys = full.model_copy(update={"auth": Profile().auth})
    assert Profile.model_validate(dumped) == without_keys


def test_a_profile_does_not_change():
    with pytest.raises(ValidationError, match="frozen"):
        Profile().title = "Another"


def test_a_section_refuses_what_does_not_go_together_also_in_python():
    with pytest.raises(ValidationError, match="at most half of the size 20"):
        Chunking(size=20, overlap=19)


@pytest.mark.parametrize("language", get_args(Language))
def test_every_language_is_one_of_bm25s(language):
    assert Bm25(Bm25Config(language=language)).embed_document("a word").indices


@pytest.mark.parametrize("value", [-1, 0, 300, "5m", "1h30m", "1.5h", "-1m"])
def test_a_model_stays_loaded_for_seconds_or_a_duration(value, load):
    assert load(f"llm: {{provider: ollama, model: m, keep_alive: {value}}}").llm.keep_alive == value

"""Whatever is wrong with a full profile, it is refused in words, with the right path and without a secret."""

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipelines.errors import ProfileError
from pipelines.profile.issues import Steps, format_path
from pipelines.profile.loader import load_profile
from pipelines.profile.places import Model, chosen, models_in, walk
from pipelines.profile.sections.documents import BuiltInField
from pipelines.profile.sections.llm import OwnLlm
from pipelines.profile.values import Section

CANARY = "CANARY-7f3a91"
ENVIRONMENT = {
    "KEY": CANARY,
    "OTHER": f"other-{CANARY}",
    "REDIS": f"redis://:{CANARY}@cache/0",
    "URL": f"postgresql://user:{CANARY}@db/footnote",
}
SHARED = """
tenant: full
title: Everything said
contract: openpharma
knowledge:
  {path: knowledge, roots: [knowledge], sync: startup, include: ['*.md'], exclude: [x], gitignore: true, every_s: 9,
  sources: [{name: a, kind: web, pages: ['http://a/b'], sitemap: 'http://a/c', hosts: [d], headers: {K: '${KEY}'},
  robots: false, include: ['*.md'], exclude: [x], most: 9},
  {name: b, kind: feed, url: 'http://a', hosts: [d], headers: {K: '${KEY}'}, include: ['*.md'], exclude: [x], most: 9},
  {name: c, kind: git, url: a, branch: main, folder: docs, include: ['*.md'], exclude: [x], most: 9},
  {name: d, kind: files, url: 's3://a', options: {anon: true}, secrets: {key: '${KEY}'},
  include: ['*.md'], exclude: [x], most: 9},
  {name: e, kind: mbox, path: a.mbox, include: ['*.md'], exclude: [x], most: 9}]}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword, values: [fed, corp], default: fed}
    published: {type: datetime, source: document, ignore_case: false}
  hierarchy: {level: level, path: [suite], requires: {suite: [suite, published]}, below: true, weights: {suite: 2}}
  identity: {fields: [suite], id: fields}
chunking: {splitter: hierarchical, size: 200, overlap: 20, unit: token, fill: 0.6, percentile: 80, parents: [800]}
extractors: [frontmatter, summary]
sparse: {language: german, k: 1.0, b: 0.5, title_weight: 3}
retention: {versions: 3, days: 9, audit_days: 9}
jobs: {run: worker, concurrency: 2, attempts: 3}
retrieval: {mode: dense, fusion: rrf, dense_weight: 0.4, candidates: 90, top_k: 6,
  expansion: {synonyms: s.txt, names: s.txt, weight: 0.5, spelling: false}}
rerank:
  - {type: mmr, diversity: 0.3, depth: 9}
  - {type: cross_encoder, model: m, device: cpu, depth: 9, weight: 0.5}
  - {type: llm, depth: 9, passage_tokens: 99}
  - {type: recency, field: published, half_life_days: 9, depth: 9}
  - {type: field_boost, field: suite, weights: {fed: 2}, depth: 9}
  - {type: balance, field: suite, depth: 9, values: [fed], each: 3, least: 0.5}
  - {type: parent, method: merge, depth: 9, share: 0.4, sentences: 3}
answer: {prompt: p.md, variants: [{name: a, prompt: p.md, weight: 2}], max_context_tokens: 900, format: json,
  verify: true, guard: model, unsupported: strike, nli: m, chooser: m, checker: m, device: cpu, sentences: 2,
  abstain_below: 0.1, calibration: c.json,
  scale: {slope: 1.5, intercept: 0.5}, steps: {use: complex, most: 3, rounds: 2},
  cache: {mode: exact, similarity: 0.9, bytes: 9, seconds: 9}}
conversations: {ttl_hours: 9, turns: 9, rewrite: rule, history: {max_tokens: 9, compress: drop}}
feedback: {keep_days: 9}
pictures: {keep: true, describe: "off", prompt: p, description_tokens: 99, read_text: false, most: 9, least_side: 9}
tools:
  router: llm
  at_most: 2
  refresh_s: 9
  servers:
    - {name: shop, allow: [a], timeout_s: 9, most_chars: 900, transport: http, url: "http://x", headers: {X: "${KEY}"}}
    - {name: papers, allow: [b], timeout_s: 9, most_chars: 900, transport: stdio, command: [p], env: {X: "${KEY}"}}
limits: {quotas: {bytes: 9, documents: 9, jobs: 9, conversations: 9},
  question_chars: [2, 9], content_chars: [2, 9], file_bytes: 9, image_bytes: 9, top_k: 19, requests_per_minute: 9,
  redis_url: "${REDIS}",
  original_bytes: 9,
  images_per_minute: 9,
  reading: {seconds: 9, seconds_per_mb: 9, memory_mb: 999, processes: 9}}
auth:
  keys:
    - {name: ops, secret: "${KEY}", role: admin, scope: {}}
    - {name: fed, secret: "${OTHER}", role: reader, scope: {suite: fed}}
"""
COMMON = "batch_size: 9, query_prefix: 'q: ', text_prefix: 't: ', cache: false, embed: [headings], adapter: a.npz"
SERVED = 'model: m, base_url: "http://x", dimensions: 3, timeout_s: 9'
OCR = "pages: 9, document_timeout_s: 9"
LLM = """model: m, api_key: "${KEY}", fallback: error, temperature: 0.5, max_tokens: 99,
      allowed: [{provider: openai, model: n, base_url: "http://y", api_key: "${OTHER}"}], context_tokens: 9999,
      timeouts: {call_s: 9, connect_s: 2, token_s: 3, queue_s: 4, decision_s: 5}, concurrency: 2, queue: 3"""
FULL = [
    f"""
embedding: {{provider: huggingface, model: m, backend: onnx, quantize: none, threads: 1, device: cpu, {COMMON}}}
catalogue: {{url: "${{URL}}", connections: 8}}
store: {{engine: edge, quantization: int8, on_disk: true, hnsw: {{m: 8, ef_construct: 50}}}}
llm: {{provider: ollama, base_url: "http://x", keep_alive: 5m, think: true, {LLM}}}
ocr: {{engine: tesseract, languages: [eng, deu], dpi: 99, page_timeout_s: 9, concurrency: 2, {OCR}}}
""",
    f"""
embedding: {{provider: openai, api_key: "${{KEY}}", {SERVED}, {COMMON}}}
catalogue: {{url: "${{URL}}"}}
store: {{engine: server, url: "http://x", api_key: "${{KEY}}", timeout_s: 9, shards: 2, replicas: 2,
       grpc_port: 9, write_consistency: 2, strict_mode: true, collection: c, payload: {{body: text}},
         quantization: int8, on_disk: true, hnsw: {{m: 8, ef_construct: 50}}}}
llm: {{provider: openai, base_url: "http://x", {LLM}}}
ocr: {{engine: ollama, model: m, base_url: "http://x", api_key: "${{KEY}}", prompt: p, dpi: 99, max_tokens: 99,
       context_tokens: 1999, keep_alive: 5m, page_timeout_s: 9, concurrency: 2, {OCR}}}
""",
    f"""
embedding: {{provider: ollama, {SERVED}, {COMMON}}}
catalogue: {{url: null}}
store: {{engine: memory, hnsw: {{m: 8, ef_construct: 50}}}}
""",
    f"embedding: {{provider: tei, {SERVED}, {COMMON}}}",
]
BY_MODEL = "  - {type: llm, depth: 9, passage_tokens: 99}\n"
VARIANTS = "variants: [{name: a, prompt: p.md, weight: 2}], "
NO_MODEL = SHARED.replace("summary", "headings").replace(BY_MODEL, "").replace(VARIANTS, "")
NO_MODEL = NO_MODEL.replace("router: llm", "router: 'off'")
TREES: list[dict[str, Any]] = [
    yaml.safe_load(shared + text) for shared, text in zip((SHARED, SHARED, NO_MODEL, NO_MODEL), FULL, strict=True)
]
LATE = "tenant: full\nrerank: [{type: late_interaction, weight: 0.3, depth: 9, store: false}]"  # needs onnx
TREES.append(yaml.safe_load(LATE))


def sections() -> Iterator[tuple[int, Steps, dict[str, Any], tuple[Model, ...]]]:
    """Every section of every tree: the tree's number, the path, what it says, and what it may be."""
    for number, tree in enumerate(TREES):
        for place in walk(tree):
            if models_in(place.annotation) and isinstance(place.value, dict):
                yield number, place.path, place.value, models_in(place.annotation)


KEYS = [(number, path, key, models) for number, path, section, models in sections() for key in section]


def subclasses(model: Model) -> Iterator[Model]:
    for below in model.__subclasses__():
        yield below
        yield from subclasses(below)


def edited(tree: Any, path: Steps, change: Any) -> Any:
    """A copy of ``tree`` in which ``change`` was applied to what stands at ``path``."""
    if not path:
        return change(tree)
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = edited(tree[path[0]], path[1:], change)
    return copy


@st.composite
def one_edit(draw: st.DrawFn, word: str) -> str:
    """``word`` with one letter left out, put in, replaced, or exchanged with the next."""
    at = draw(st.integers(0, len(word)))
    letter = draw(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_- .:#${}[]'\"é"))
    edits = [word[:at] + letter + word[at:], word[:at] + word[at + 1 :], word[:at] + letter + word[at + 1 :]]
    edits.append(word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :])
    return draw(st.sampled_from(edits))


def refused(folder: Path, tree: Any) -> ProfileError | None:
    """The refusal of a tree, or of a text, after everything that can be read of it was searched for secrets."""
    path = folder / "profile.yaml"
    (folder / "p.md").write_text("# system\n# user\n{{sources}} {{question}}")
    path.write_bytes(tree if isinstance(tree, bytes) else yaml.safe_dump(tree, encoding="utf-8", sort_keys=False))
    try:
        load_profile(path, ENVIRONMENT)
    except ProfileError as error:
        shown = [str(error), repr(error.problems), *traceback.format_exception(error)]
        assert not [text for text in shown if CANARY in text]
        return error
    return None


@pytest.mark.parametrize("tree", TREES, ids=range(len(TREES)))
def test_the_full_profiles_are_right(tree, tmp_path):
    assert refused(tmp_path, tree) is None


def test_the_full_profiles_use_every_key():
    said: dict[Model, set[str]] = {}
    for _, _, section, models in sections():
        (model,) = chosen(models, section)
        said[model] = said.get(model, set()) | section.keys()
    unwritten: set[Model] = {OwnLlm, BuiltInField}  # no profile names them
    concrete = {model for model in subclasses(Section) if not {*subclasses(model)} - unwritten} - unwritten
    assert said == {model: set(model.model_fields) for model in concrete}


@settings(max_examples=50)
@given(data=st.data())
def test_one_wrong_letter_in_a_key_is_found_and_nothing_else(data, tmp_path_factory):
    number, path, key, models = data.draw(st.sampled_from(KEYS))
    typo = data.draw(one_edit(key))
    assume(not any(typo in model.model_fields for model in models))
    tree = edited(
        TREES[number], path, lambda section: {typo if name == key else name: section[name] for name in section}
    )
    error = refused(tmp_path_factory.getbasetemp(), tree)
    assert error is not None
    assert [problem.path for problem in error.problems] == [format_path((*path, typo))]
    assert error.problems[0].message.startswith("unknown key")
    if len(key) > 3:
        assert error.problems[0].suggestion == key


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(["${KEY}", "${NO}"])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
PLACES = [(number, place.path) for number, tree in enumerate(TREES) for place in walk(tree)]


@settings(max_examples=50)
@given(place=st.sampled_from(PLACES), value=values)
def test_whatever_stands_anywhere_is_taken_or_refused_in_words(place, value, tmp_path_factory):
    number, path = place
    error = refused(tmp_path_factory.getbasetemp(), edited(TREES[number], path, lambda _: value))
    assert error is None or all(problem.message for problem in error.problems)


@settings(max_examples=50)
@given(cut=st.integers(0, len(SHARED)), put_in=st.text(max_size=3), length=st.integers(0, 9))
def test_whatever_is_done_to_the_text_is_taken_or_refused_in_words(cut, put_in, length, tmp_path_factory):
    text = SHARED[:cut] + put_in + SHARED[cut + length :]
    error = refused(tmp_path_factory.getbasetemp(), text.encode("utf-8", "surrogatepass"))
    assert error is None or error.problems


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("http://a:6333,b:6333", "must be an address that begins with http:// or https://"),
        ("http://a:6333, http://a:6333", "must not name an address twice"),
        ("http://a:6333,", "must be an address that begins with http:// or https://"),
    ],
)
def test_each_address_of_a_cluster_must_be_one(url, wrong, problems):
    assert problems(f'store: {{engine: server, url: "{url}"}}') == [f"store -> url: {wrong}"]

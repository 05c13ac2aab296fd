"""A few hundred made-up chunks, the questions asked of them, and the right answers, worked out in plain Python."""

import math
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from llama_index.core.schema import TextNode
from qdrant_client import models

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.documents import MetadataField
from pipelines.profile.sections.retrieval import SparseSection

DIMENSIONS = 24
AVERAGE = 14.0
COUNT = 400
NEVER = 2**40
FIELDS = {
    "suite": MetadataField(type="keyword"),
    "tags": MetadataField(type="keywords"),
    "year": MetadataField(type="integer"),
    "rating": MetadataField(type="float"),
    "public": MetadataField(type="boolean"),
    "published": MetadataField(type="datetime"),
}
_WORDS = re.findall(
    r"\w+",
    """ledger payment reconciliation retriever hip dysplasia monsoon bridge compiler vector filter window copper island
    harvest orbit protein enzyme battery glacier saddle violin anchor lantern meadow turbine""",
)
_SUITES = ("fedsuite", "fedpay", "paysuite", "Ångström")
_TAGS = ("red", "green", "blue", "deep red")


def encoder(average: float = AVERAGE) -> Bm25Encoder:
    return Bm25Encoder(SparseSection(), average)


def chunk_id(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, str(number)))


def sample_nodes(count: int = COUNT) -> list[TextNode]:
    random = np.random.default_rng(7)
    return [_node(number, random) for number in range(count)]


def _node(number: int, random: np.random.Generator) -> TextNode:
    ranks = random.zipf(1.4, size=random.integers(8, 24)) % len(_WORDS)
    vector = random.normal(size=DIMENSIONS)
    return TextNode(
        id_=chunk_id(number),
        text=" ".join(_WORDS[rank] for rank in ranks),
        embedding=(vector / np.linalg.norm(vector)).tolist(),
        metadata={
            "document_id": f"doc/{number // 8}",
            "version": 1 + number % 3,
            "index": number % 8,
            "valid_from": number % 5,
            "valid_to": 4 if number % 11 == 0 else NEVER,
            "title": f"Title {number // 8}",
            "source": "made up",
            "start": 10 * number,
            "end": 10 * number + 9,
            "page": None,
            "page_label": None,
            "headings": ["One", "Two"],
            "metadata": _metadata(number, random),
        },
        excluded_embed_metadata_keys=["metadata"],
        text_template="{content}",
    )


def _metadata(number: int, random: np.random.Generator) -> dict[str, Any]:
    metadata: dict[str, Any] = {"year": 2000 + number % 25, "undeclared": {"kept": number}}
    if number % 7:
        metadata["suite"] = _SUITES[number % len(_SUITES)]
    if number % 6:
        metadata["tags"] = [tag for tag in _TAGS if random.random() < 0.5]
    if number % 5:
        metadata["rating"] = round(float(random.uniform(0, 5)), 3)
    if number % 4:
        metadata["public"] = bool(number % 2)
    if number % 3:
        metadata["published"] = (datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=7 * number)).isoformat()
    return metadata


def payload_of(node: TextNode) -> dict[str, Any]:
    return {**node.metadata, "text": node.text}


# ---------------------------------------------------------------------------------------------------------------------
# What must come out


def cosines(nodes: Iterable[TextNode], question: np.ndarray) -> dict[str, float]:
    unit = question / np.linalg.norm(question)
    return {node.node_id: float(np.dot(node.embedding, unit)) for node in nodes}


def bm25(nodes: list[TextNode], question: str, chosen: set[str], average: float = AVERAGE) -> dict[str, float]:
    """Okapi BM25 of Lucene's kind, spelled out; rarity is measured over all chunks, filtered or not."""
    counts = {node.node_id: Counter(node.text.split()) for node in nodes}
    scores = {}
    for node_id in chosen:
        score = sum(_bm25_term(word, counts[node_id], counts, average) for word in set(question.split()))
        if score > 0:
            scores[node_id] = score
    return scores


def _bm25_term(word: str, counted: Counter[str], counts: dict[str, Counter[str]], average: float) -> float:
    holding = sum(word in other for other in counts.values())
    rarity = math.log((len(counts) - holding + 0.5) / (holding + 0.5) + 1)
    saturation = 1.2 * (1 - 0.75 + 0.75 * counted.total() / average)
    return rarity * counted[word] * (1.2 + 1) / (counted[word] + saturation)


def best(scores: dict[str, float], depth: int) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]


# ---------------------------------------------------------------------------------------------------------------------
# Filters, and what each must match

Predicate = Callable[[str, dict[str, Any]], bool]


def field(key: str, **condition: Any) -> models.FieldCondition:
    return models.FieldCondition(key=key, **condition)


def equals(key: str, value: Any) -> models.FieldCondition:
    return field(key, match=models.MatchValue(value=value))


def empty(key: str) -> models.IsEmptyCondition:
    return models.IsEmptyCondition(is_empty=models.PayloadField(key=key))


def _meta(name: str, test: Callable[[Any], bool]) -> Predicate:
    """Whether a field of the metadata is there and passes; of a list, whether any value does."""

    def holds(_: str, payload: dict[str, Any]) -> bool:
        value = payload["metadata"].get(name)
        values = value if isinstance(value, list) else [] if value is None else [value]
        return any(test(one) for one in values)

    return holds


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


_SOME = [chunk_id(number) for number in (0, 3, 399)]
_JUNE = datetime(2021, 6, 1, tzinfo=UTC)
FILTERS: dict[str, tuple[models.Filter, Predicate]] = {
    "a keyword": (
        models.Filter(must=[equals("metadata.suite", "fedsuite")]),
        _meta("suite", lambda v: v == "fedsuite"),
    ),
    "a keyword beyond ASCII": (
        models.Filter(must=[equals("metadata.suite", "Ångström")]),
        _meta("suite", lambda v: v == "Ångström"),
    ),
    "one condition instead of a list": (
        models.Filter(must=equals("document_id", "doc/7")),
        lambda _, payload: payload["document_id"] == "doc/7",
    ),
    "one keyword of a list": (
        models.Filter(must=[equals("metadata.tags", "red")]),
        _meta("tags", lambda v: v == "red"),
    ),
    "any of": (
        models.Filter(must=[field("metadata.suite", match=models.MatchAny(any=["fedpay", "paysuite", "none"]))]),
        _meta("suite", lambda v: v in ("fedpay", "paysuite")),
    ),
    "any of numbers": (
        models.Filter(must=[field("metadata.year", match=models.MatchAny(any=[2001, 2024]))]),
        _meta("year", lambda v: v in (2001, 2024)),
    ),
    "none of, among those that have it": (
        models.Filter(must=[field("metadata.suite", match=models.MatchExcept(**{"except": ["fedpay"]}))]),
        _meta("suite", lambda v: v != "fedpay"),
    ),
    "a prefix": (
        models.Filter(must=[field("metadata.suite", match=models.MatchPrefix(prefix="fed"))]),
        _meta("suite", lambda v: v.startswith("fed")),
    ),
    "a part of a keyword": (
        models.Filter(must=[field("metadata.suite", match=models.MatchSubstring(substring="suit"))]),
        _meta("suite", lambda v: "suit" in v),
    ),
    "a word of a keyword": (
        models.Filter(must=[field("metadata.tags", match=models.MatchText(text="red"))]),
        _meta("tags", lambda v: "red" in v.split()),
    ),
    "an integer": (models.Filter(must=[equals("metadata.year", 2003)]), _meta("year", lambda v: v == 2003)),
    "a range of integers": (
        models.Filter(must=[field("metadata.year", range=models.Range(gte=2005, lt=2009))]),
        _meta("year", lambda v: 2005 <= v < 2009),
    ),
    "a range of floats": (
        models.Filter(must=[field("metadata.rating", range=models.Range(gt=1.5, lte=3.25))]),
        _meta("rating", lambda v: 1.5 < v <= 3.25),
    ),
    "true": (models.Filter(must=[equals("metadata.public", True)]), _meta("public", lambda v: v is True)),
    "false": (models.Filter(must=[equals("metadata.public", False)]), _meta("public", lambda v: v is False)),
    "since a moment": (
        models.Filter(must=[field("metadata.published", range=models.DatetimeRange(gte=_JUNE))]),
        _meta("published", lambda v: _moment(v) >= _JUNE),
    ),
    "before a day": (
        models.Filter(must=[field("metadata.published", range=models.DatetimeRange(lt=date(2021, 6, 1)))]),
        _meta("published", lambda v: _moment(v) < _JUNE),
    ),
    "a moment without a zone": (
        models.Filter(must=[field("metadata.published", range=models.DatetimeRange(gt=datetime(2021, 6, 1)))]),
        _meta("published", lambda v: _moment(v) > _JUNE),
    ),
    "empty": (
        models.Filter(must=[empty("metadata.tags")]),
        lambda _, payload: not payload["metadata"].get("tags"),
    ),
    "not empty": (
        models.Filter(must_not=[empty("metadata.tags")]),
        lambda _, payload: bool(payload["metadata"].get("tags")),
    ),
    "null": (
        models.Filter(must=[models.IsNullCondition(is_null=models.PayloadField(key="page"))]),
        lambda *_: True,
    ),
    "how many values": (
        models.Filter(must=[field("metadata.tags", values_count=models.ValuesCount(gte=3))]),
        lambda _, payload: len(payload["metadata"].get("tags", [])) >= 3,
    ),
    "a field nobody has": (models.Filter(must=[equals("metadata.nothing", "x")]), lambda *_: False),
    "not a field nobody has": (models.Filter(must_not=[equals("metadata.nothing", "x")]), lambda *_: True),
    "ids": (models.Filter(must=[models.HasIdCondition(has_id=_SOME)]), lambda node_id, _: node_id in _SOME),
    "either": (
        models.Filter(should=[equals("metadata.year", 2004), equals("metadata.suite", "fedpay")]),
        lambda _, p: p["metadata"]["year"] == 2004 or p["metadata"].get("suite") == "fedpay",
    ),
    "neither, drops nobody for lacking the field": (
        models.Filter(must_not=[equals("metadata.suite", "fedpay"), equals("metadata.suite", "paysuite")]),
        lambda _, p: p["metadata"].get("suite") not in ("fedpay", "paysuite"),
    ),
    "two of three": (
        models.Filter(
            min_should=models.MinShould(
                conditions=[
                    equals("metadata.tags", "red"),
                    equals("metadata.tags", "blue"),
                    field("metadata.year", range=models.Range(gte=2020)),
                ],
                min_count=2,
            )
        ),
        lambda _, p: (
            (
                ("red" in p["metadata"].get("tags", []))
                + ("blue" in p["metadata"].get("tags", []))
                + (p["metadata"]["year"] >= 2020)
            )
            >= 2
        ),
    ),
    "nested and, or, not": (
        models.Filter(
            must=[
                models.Filter(
                    should=[
                        models.Filter(must=[equals("metadata.suite", "fedsuite"), equals("metadata.tags", "green")]),
                        models.Filter(must_not=[field("metadata.year", range=models.Range(lt=2015))]),
                    ]
                ),
                field("valid_from", range=models.Range(lte=3)),
            ],
            must_not=[models.Filter(must=[equals("metadata.public", True), equals("metadata.tags", "red")])],
        ),
        lambda _, p: (
            (
                (p["metadata"].get("suite") == "fedsuite" and "green" in p["metadata"].get("tags", []))
                or p["metadata"]["year"] >= 2015
            )
            and p["valid_from"] <= 3
            and not (p["metadata"].get("public") is True and "red" in p["metadata"].get("tags", []))
        ),
    ),
    "readable at a snapshot": (
        models.Filter(
            must=[field("valid_from", range=models.Range(lte=4)), field("valid_to", range=models.Range(gt=4))]
        ),
        lambda _, p: p["valid_from"] <= 4 < p["valid_to"],
    ),
    "no conditions": (models.Filter(), lambda *_: True),
    "an empty list of alternatives": (models.Filter(should=[]), lambda *_: True),
}

"""Documents and questions to measure with: sentences of the sample knowledge, recombined by a seed."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.components.sentences import sentence_spans
from pipelines.types import ParsedDocument

SAMPLE = Path(__file__).resolve().parents[2] / "configs" / "smartbreeds"
GROUPS = 20
"""Values of the field that filtered queries choose one of: a selectivity of 5 %."""


@dataclass(frozen=True, slots=True)
class Text:
    """A document to ingest."""

    name: str
    title: str
    text: str


def sentences() -> list[str]:
    """Every full sentence of the sample knowledge."""
    found = []
    for file in sorted((SAMPLE / "knowledge").rglob("*.md")):
        body = extract_frontmatter(ParsedDocument(file.read_text(encoding="utf-8"), "text/markdown")).text
        found += [body[start:end] for start, end in sentence_spans(body) if body[end - 1] == "." and end - start > 40]
    return found


def documents(count: int, length: int = 32, seed: int = 7) -> list[Text]:
    """``count`` documents of ``length`` sentences each (about three chunks of 254 tokens)."""
    generator, pool = random.Random(seed), sentences()
    return [
        Text(f"doc-{n}.txt", f"Document {n}", " ".join(generator.choice(pool) for _ in range(length)))
        for n in range(count)
    ]


def questions() -> list[str]:
    """The golden questions of the sample tenant that its knowledge answers."""
    lines = (SAMPLE / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    return [asked["question"] for asked in map(json.loads, lines) if not asked.get("unanswerable")]


def unit_vectors(count: int, dimensions: int, seed: int = 7) -> np.ndarray:
    """Random unit vectors, one a row: for sizes that would take an hour to embed."""
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

"""Small points for tests of `EdgeClient`, and scripts that run in a process of their own."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import uuid
from pathlib import Path

import numpy as np
from qdrant_client import models

from pipelines.components.store.edge import collection as edge_collection
from pipelines.components.store.edge.client import EdgeClient
from pipelines.errors import DataFolderHeld

__all__ = [  # what a script may use
    "DataFolderHeld",
    "EdgeClient",
    "Path",
    "edge_collection",
    "make",
    "models",
    "number_is",
    "os",
    "point_id",
    "points",
    "signal",
    "sys",
    "threading",
]

DENSE = models.VectorParams(size=4, distance=models.Distance.COSINE)
WORDS = models.SparseVectorParams(modifier=models.Modifier.IDF)
ROOT = Path(__file__).parents[4]


def point_id(number: int) -> str:
    return str(uuid.UUID(int=number + 1))


def points(first: int, last: int, **payload: object) -> list[models.PointStruct]:
    random = np.random.default_rng(first)
    return [
        models.PointStruct(
            id=point_id(number),
            vector={
                "dense": random.normal(size=4).tolist(),
                "words": models.SparseVector(indices=[number % 7], values=[1.0]),
            },
            payload={"n": number, **payload},
        )
        for number in range(first, last)
    ]


def make(client: EdgeClient, name: str = "c", **config: object) -> None:
    client.create_collection(name, vectors_config={"dense": DENSE}, sparse_vectors_config={"words": WORDS}, **config)
    client.create_payload_index(name, "n", models.PayloadSchemaType.INTEGER)


def number_is(number: int) -> models.Filter:
    return models.Filter(must=[models.FieldCondition(key="n", match=models.MatchValue(value=number))])


def numbers(client: EdgeClient, where: models.Filter | None = None) -> list[int]:
    return sorted(record.payload["n"] for record in client.scroll("c", where, limit=100_000)[0])


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    code = "from edge_points import *\n" + textwrap.dedent(script)
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        timeout=120,
        check=False,
    )

"""A search as it travels through LlamaIndex's parts: from the retriever through the postprocessors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from llama_index.core.schema import QueryBundle
from qdrant_client import models

from pipelines.types import Hit, Mode, Trace

Vector = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Remainder:
    """The candidates below those that the stages read.

    Attributes:
        floor: The score of the last candidate above them.
        first: Returns this many of them, best first.
    """

    floor: float
    first: Callable[[int], Sequence[Hit]]


@dataclass(kw_only=True)
class SearchQuery(QueryBundle):
    """A question with the limits of its search. `dataclasses.replace` gives a new search with an empty trace.

    Attributes:
        query_str: What is searched for.
        top_k: The largest number of hits.
        mode: The legs.
        where: The chunks that may be found; None: all.
        vector: The question's dense vector, of length 1, if it came as one: then the dense leg alone is asked.
        diversity: Replaces that of the profile's stage `mmr`, or adds such a stage.
        trace: Filled by the retriever and the stages.
        remainder: Set by the retriever if there are stages.
    """

    query_str: str
    top_k: int
    mode: Mode = "hybrid"
    where: models.Filter | None = None
    vector: Vector | None = None
    diversity: float | None = None
    trace: Trace = field(default_factory=Trace, init=False)
    remainder: Remainder | None = field(default=None, init=False)

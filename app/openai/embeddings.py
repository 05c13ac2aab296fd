"""Vectors of texts in OpenAI's shape, made by a tenant's embedding model."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, FailFast, Field

from app.http.contract import ContractBody
from app.openai.mapping import tokens_of

_MOST_TEXTS = 2048  # as OpenAI's
_TOKENS = "must be a text or a list of texts: tokens mean something only to the model that they were made for"


def _texts(value: Any) -> Any:
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, list) and texts and isinstance(texts[0], int | list):
        raise ValueError(_TOKENS)
    return texts


class EmbeddingsRequest(ContractBody):
    """Texts whose vectors are wanted."""

    model: str = Field(description="a tenant, whose embedding model makes the vectors", examples=["smartbreeds"])
    input: Annotated[
        # one error is enough; a body may hold hundreds of thousands
        list[Annotated[str, Field(min_length=1)]],
        FailFast(),
        BeforeValidator(_texts, json_schema_input_type=str | list[str]),
    ] = Field(min_length=1, max_length=_MOST_TEXTS, examples=["How much exercise does a beagle need?"])
    encoding_format: Literal["float", "base64"] | None = Field(
        default="float", description="`base64`: 32-bit floats, little-endian"
    )
    dimensions: int | None = Field(default=None, description="the length that the model's vectors have")
    input_type: Literal["passage", "query"] | None = Field(
        default="passage", description="`query`: the texts are questions, for models that embed them in another way"
    )


class Embedding(BaseModel):
    """The unit vector of a text."""

    object: Literal["embedding"] = "embedding"
    index: int = Field(description="place of the text in the request, from 0")
    embedding: list[float] | str


class EmbeddingsUsage(BaseModel):
    """Estimated numbers of tokens."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingList(BaseModel):
    """Vectors in the order of their texts."""

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: EmbeddingsUsage


def embedding_list(asked: EmbeddingsRequest, vectors: Sequence[Sequence[float]]) -> EmbeddingList:
    """Return vectors as they were asked for."""
    read = sum(tokens_of(text) for text in asked.input)
    written = _base64 if asked.encoding_format == "base64" else list
    return EmbeddingList(
        data=[Embedding(index=place, embedding=written(vector)) for place, vector in enumerate(vectors)],
        model=asked.model,
        usage=EmbeddingsUsage(prompt_tokens=read, total_tokens=read),
    )


def _base64(vector: Sequence[float]) -> str:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()

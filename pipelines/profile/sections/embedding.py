"""The embedding models of the dense leg."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from pipelines.profile.values import Address, Device, Line, Number, OptionalPath, OptionalSecret, Section, Whole


class EmbeddingBase(Section):
    """Keys of every embedding provider."""

    batch_size: Whole = Field(default=8, ge=1, le=1024, description="texts in one call of the model")
    query_prefix: str | None = Field(
        default=None, max_length=1000, description="prefix of questions, not of texts; null: the model's own"
    )
    text_prefix: str | None = Field(
        default=None, max_length=1000, description="prefix of texts, not of questions; null: the model's own"
    )
    adapter: OptionalPath = Field(
        default=None,
        description="file written by `footnote finetune`, relative to the profile: a learned map of questions' "
        "vectors; documents are not embedded again",
    )
    cache: bool = Field(default=True, description="cache vectors by text, so that equal texts are embedded once")
    embed: tuple[Literal["title", "headings"], ...] = Field(
        default=("title",), description="prefix of a chunk's text for embedding and BM25"
    )


class HuggingFaceEmbedding(EmbeddingBase):
    """A sentence-transformers model in this process."""

    provider: Literal["huggingface"] = "huggingface"
    model: Line = Field(
        default="bundled",
        description="a name of `footnote models list`, a folder (`./folder`: beside the profile; torch only), or a hub "
        "name (torch only)",
    )
    backend: Literal["onnx", "torch"] = Field(default="onnx", description="what runs the model")
    quantize: Literal["none", "int8"] = Field(
        default="int8", description="precision on onnx: int8 is twice as fast; torch runs the weights as they are"
    )
    device: Device = Field(
        default="auto",
        description="what computes: `auto` takes a GPU where onnxruntime-gpu or PyTorch offers CUDA and the model is "
        "not in 8 bits, else the processor; `cuda` insists on it, with `quantize: none` on onnx",
    )
    threads: Whole = Field(default=0, ge=0, le=1024, description="processor threads of the model; 0: all")


class OllamaEmbedding(EmbeddingBase):
    """A model served by Ollama."""

    provider: Literal["ollama"]
    model: Line = Field(description="name of the model on the server")
    base_url: Address = Field(default="http://127.0.0.1:11434", description="where the server answers")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


class OpenAIEmbedding(EmbeddingBase):
    """A model behind an OpenAI-compatible interface."""

    provider: Literal["openai"]
    model: Line = Field(description="name of the model")
    base_url: Address = Field(default="https://api.openai.com/v1", description="root of the interface")
    api_key: OptionalSecret = Field(default=SecretStr(""), description="written only as ${NAME}")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


class TeiEmbedding(EmbeddingBase):
    """A model served by Hugging Face's text-embeddings-inference."""

    provider: Literal["tei"]
    model: Line = Field(description="name of the model, for the record")
    base_url: Address = Field(description="where the server answers")
    dimensions: Whole = Field(ge=1, description="length of its vectors")
    timeout_s: Number = Field(default=60.0, gt=0, description="seconds until a call is given up")


EmbeddingSection = Annotated[
    HuggingFaceEmbedding | OllamaEmbedding | OpenAIEmbedding | TeiEmbedding, Field(discriminator="provider")
]

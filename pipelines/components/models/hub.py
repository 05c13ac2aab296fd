"""Downloads a model from the Hugging Face hub, the only place that does so for ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

from pipelines.errors import EmbeddingUnavailable, MissingPackage

_FILES = [
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "modules.json",
    "*_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
]


def fetch(name: str) -> Path:
    """Return the folder of the hub's model ``name``; download it unless it is in the hub's cache.

    Raises:
        MissingPackage: The hub's client is not installed.
        EmbeddingUnavailable: The hub cannot be reached, or does not have the model.
    """
    try:
        import httpx
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingPackage("huggingface_hub", "huggingface") from None
    try:
        return Path(snapshot_download(name, allow_patterns=_FILES))
    except (OSError, ValueError, httpx.HTTPError) as error:
        reason = f"the Hugging Face hub does not provide it ({type(error).__name__}); copy its files into a folder"
        raise EmbeddingUnavailable(f"the model {name}", f"{reason} and name that with --from") from error

"""Embedding by a server: Ollama, an OpenAI-compatible one, or text-embeddings-inference."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx
import numpy as np

from pipelines.components.embedding.base import Vectors, normalised
from pipelines.components.http_servers import BROKEN, add_trace, refusal, retrying, trusted_certificates
from pipelines.components.models.fingerprints import ServedEmbedding, served_fingerprint
from pipelines.components.models.tokenizer import encodable
from pipelines.errors import EmbeddingUnavailable, PartTimeout
from pipelines.profile.sections.embedding import OpenAIEmbedding

Section = ServedEmbedding


class RemoteEncoder:
    """Asks a server for vectors in batches; retries while it is busy or if the connection breaks."""

    def __init__(self, section: Section) -> None:
        self.name = section.model
        self.dimensions = section.dimensions
        self.query_prefix = self.text_prefix = ""
        self.fingerprint = served_fingerprint(section)
        self._secret = section.api_key.get_secret_value() if isinstance(section, OpenAIEmbedding) else ""
        headers = {"authorization": f"Bearer {self._secret}"} if self._secret else {}
        self._section = section
        self._client = httpx.Client(
            base_url=section.base_url,
            headers=headers,
            timeout=section.timeout_s,
            verify=trusted_certificates(),
            event_hooks={"request": [add_trace]},
        )
        weakref.finalize(self, self._client.close)  # indexes of several generations may share it

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder`."""
        size = self._section.batch_size
        parts = [self._batch(texts[start : start + size]) for start in range(0, len(texts), size)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), dtype=np.float32)

    def _batch(self, texts: Sequence[str]) -> Vectors:
        path, body, unpack = _PROTOCOLS[self._section.provider](self._section, [encodable(text) for text in texts])
        answer = self._post(path, body)
        try:
            found = np.asarray(unpack(answer), dtype=np.float32)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            raise self._unavailable("its answer holds no embeddings") from None
        if found.ndim != 2 or not np.isfinite(found).all():
            raise self._unavailable("its answer holds no embeddings")
        if len(found) != len(texts):
            raise self._unavailable(f"it gave {len(found)} vectors for {len(texts)} texts")
        if found.shape[1] != self.dimensions:
            reason = f"its vectors have {found.shape[1]} dimensions; set embedding -> dimensions to that"
            raise self._unavailable(reason)
        return normalised(found)

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            return retrying()(self._once, path, body)
        except httpx.TimeoutException:
            raise PartTimeout(self._part, self._section.timeout_s) from None
        except httpx.HTTPStatusError as error:
            reason = refusal(error.response.status_code, error.response.text, self._secret)
            raise self._unavailable(reason) from None
        except BROKEN:
            raise self._unavailable("no server answers there, or the connection broke; is it running?") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise self._unavailable("the request cannot be made; see embedding -> base_url and api_key") from None
        except (ValueError, RecursionError):
            raise self._unavailable("its answer is not JSON; see embedding -> base_url") from None

    def _once(self, path: str, body: Mapping[str, Any]) -> Any:
        response = self._client.post(path, json=body)
        response.raise_for_status()
        return response.json()

    @property
    def _part(self) -> str:
        return f"the embedding server ({self._section.provider}, model {self._section.model})"

    def _unavailable(self, detail: str) -> EmbeddingUnavailable:
        return EmbeddingUnavailable(self._part, detail)


Protocol = Callable[[Section, Sequence[str]], tuple[str, dict[str, Any], Callable[[Any], Any]]]


def _ollama(section: Section, texts: Sequence[str]) -> tuple[str, dict[str, Any], Callable[[Any], Any]]:
    return "/api/embed", {"model": section.model, "input": texts}, lambda answer: answer["embeddings"]


def _openai(section: Section, texts: Sequence[str]) -> tuple[str, dict[str, Any], Callable[[Any], Any]]:
    body: dict[str, Any] = {"model": section.model, "input": texts, "encoding_format": "float"}
    if section.model.startswith("text-embedding-3"):
        body["dimensions"] = section.dimensions  # only these shorten their vectors; others refuse the key
    return (
        "/embeddings",
        body,
        lambda answer: [item["embedding"] for item in sorted(answer["data"], key=lambda item: item["index"])],
    )


def _tei(section: Section, texts: Sequence[str]) -> tuple[str, dict[str, Any], Callable[[Any], Any]]:
    return "/embed", {"inputs": texts, "truncate": True, "normalize": True}, lambda answer: answer


_PROTOCOLS: dict[str, Protocol] = {"ollama": _ollama, "openai": _openai, "tei": _tei}

"""The embedding models of a tenant: its profile's, and the earlier one that its vectors were made with."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import ValidationError

from pipelines.catalogue import Claim
from pipelines.components.embedding import Embedder, Tokens, build_embedding, models_folder
from pipelines.components.own import OwnComponents, OwnEmbedder, build_installed
from pipelines.errors import FootnoteError
from pipelines.events import Observe
from pipelines.profile.plugins import profile_type
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import EmbeddingSection
from pipelines.profile.sections.rerank import LateInteractionStage

_log = logging.getLogger(__name__)


class Embedders:
    """Loads the models.

    Args:
        own: Components of the caller's own; a model among them stands for that of every profile.
        observe: Receives the models' events.
    """

    def __init__(self, own: OwnComponents, observe: Observe) -> None:
        self._own = own
        self._observe = observe

    def of_profile(self, profile: Profile, tokens: Tokens) -> Embedder:
        """Return the model that a profile names.

        Raises:
            ModelMissing, MissingPackage: It cannot be had.
        """
        if self._own.embedding is not None:
            return OwnEmbedder(self._own.embedding, self._observe)
        return self._built(profile.embedding, tokens)

    def former(self, profile: Profile, claim: Claim) -> Embedder | None:
        """Return the earlier model that a generation was made with, None where it cannot be had."""
        try:
            section = _section(profile, claim.section["section"])
            embedder = self._built(section, tokens_of(profile, claim.section.get("tokens", False)))
        except (FootnoteError, ValidationError):
            _log.exception("the former embedding model cannot be loaded: searches use BM25 alone until then")
            return None
        return embedder if embedder.fingerprint == claim.embedding else None

    def _built(self, section: EmbeddingSection, tokens: Tokens) -> Embedder:
        installed = build_installed("embedding", section.provider, section, BaseEmbedding)
        if installed is not None:
            return OwnEmbedder(installed, self._observe, section)
        return build_embedding(section, models_folder(), tokens, self._observe)


def tokens_of(profile: Profile, stored: bool | None = None) -> Tokens:
    """Return what a model gives beside vectors of texts; ``stored`` says whether its store holds vectors of words."""
    stages = [stage for stage in profile.rerank if isinstance(stage, LateInteractionStage)]
    if stored or (stored is None and any(stage.store for stage in stages)):
        return "stored"
    return "asked" if stages else "none"


def _section(profile: Profile, stored: Mapping[str, Any]) -> EmbeddingSection:
    key = getattr(profile.embedding, "api_key", None)
    secret = {"api_key": key} if key is not None and stored["provider"] == profile.embedding.provider else {}
    return profile_type().model_validate({"embedding": {**stored, **secret}}).embedding

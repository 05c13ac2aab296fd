"""Which models of a profile are not on this machine: their files are looked for, and not loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipelines.components.models.exported import exported_model, find_model, models_folder, needed_model
from pipelines.components.models.known_models import KNOWN
from pipelines.errors import FootnoteError, ModelDamaged, ModelMissing, WeightsMissing
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.rerank import CrossEncoderStage


def missing_models(profile: Profile) -> Iterator[tuple[str, FootnoteError]]:
    """Yield each part that names a missing model, with the error that says what makes it ready.

    Models that PyTorch runs are left out: it loads them from a hub when they are needed.
    """
    folder = models_folder()
    try:
        find_model(*needed_model(profile.embedding), folder)
    except ModelMissing as error:
        yield "embedding" if isinstance(profile.embedding, HuggingFaceEmbedding) else "chunking", error
    stages = [(stage.type, stage.model) for stage in profile.rerank if isinstance(stage, CrossEncoderStage)]
    for part, model in (*stages, ("chooser", profile.answer.chooser), ("nli", profile.answer.nli)):
        known = None if model is None or Path(model).is_dir() else KNOWN.get(model)
        try:
            exports = [] if known is None else [exported_model(known.name, one, folder) for one in ("int8", "none")]
        except ModelDamaged as error:
            yield part, error
            continue
        if known is not None and not known.installed and not any(exports):
            yield part, WeightsMissing(known.name, known.requirement)

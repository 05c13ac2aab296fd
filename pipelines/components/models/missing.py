"""Which models of a profile are not on this machine: their files are looked for, and not loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipelines.components.models.exported import exported_model, find_model, models_folder, needed_model
from pipelines.components.models.known_models import KNOWN
from pipelines.errors import FootnoteError, ModelDamaged, ModelMissing, WeightsMissing, nearest
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from pipelines.profile.sections.rerank import CrossEncoderStage


def missing_models(profile: Profile) -> Iterator[tuple[str, FootnoteError]]:
    """Yield each part that names a missing model, with the error that says what makes it ready.

    Models that PyTorch runs are left out: it loads them from a hub when they are needed; but for names that are nearly
    those of known models.
    """
    folder = models_folder()
    try:
        find_model(*needed_model(profile.embedding), folder)
    except ModelMissing as error:
        yield "embedding" if isinstance(profile.embedding, HuggingFaceEmbedding) else "chunking", error
    stages = [(stage.type, stage.model) for stage in profile.rerank if isinstance(stage, CrossEncoderStage)]
    for part, model in (*stages, ("chooser", profile.answer.chooser), ("nli", profile.answer.nli)):
        if model is None or Path(model).is_dir():
            continue
        known = KNOWN.get(model)
        try:
            exports = [exported_model(model, one, folder) for one in ("int8", "none")] if "/" not in model else []
        except ModelDamaged as error:
            yield part, error
            continue
        if any(exports):
            continue
        if known is not None and not known.installed:
            yield part, WeightsMissing(known.name, known.requirement)
        elif known is None and "/" not in model and (meant := nearest(model, KNOWN)) is not None:
            yield part, ModelMissing(model, str(folder), "list", meant)

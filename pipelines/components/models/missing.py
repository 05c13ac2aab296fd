"""What a profile asks of models in vain: those that are not on this machine, and chunks of more tokens than one reads.

Their files are looked for, and not loaded.
"""

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
    answer = profile.answer
    read = (("chooser", answer.chooser), ("checker", answer.checker), ("nli", answer.nli))
    for part, model in (*stages, *read):
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


def unread_tokens(profile: Profile) -> str | None:
    """Say that chunks may be longer than what the embedding model reads of a text, which leaves their ends to BM25.

    None where they are not, where a server or PyTorch runs the model, and where it is not on this machine yet.
    """
    chunking, embedding = profile.chunking, profile.embedding
    if chunking.unit != "token" or not isinstance(embedding, HuggingFaceEmbedding) or embedding.backend != "onnx":
        return None
    try:
        model = exported_model(embedding.model, embedding.quantize, models_folder())
    except ModelDamaged:  # is reported as such
        return None
    if model is None or chunking.size <= model.most_tokens:
        return None
    return f"of a chunk, {model.name} reads {model.most_tokens} tokens; what follows them is found by its words alone"

"""A linear map of question vectors, learned from judged questions; vectors of texts stay as they are."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pipelines.components.embedding.base import Encoder, Vectors, normalised, text_fingerprint
from pipelines.profile.adapter import ABOUT, DAMAGED, MATRIX, AdapterAbout, read_about, require_model, unusable_adapter
from pipelines.profile.sections.embedding import EmbeddingBase


@dataclass(frozen=True)
class QueryAdapter:
    """Adds ``matrix``, shape ``(dimensions, dimensions)``, times a question's vector to that vector."""

    about: AdapterAbout
    matrix: Vectors

    def __call__(self, vectors: Vectors) -> Vectors:
        """Return the adapted unit vectors of questions, shape ``(n, dimensions)``."""
        return normalised(vectors + vectors @ self.matrix)

    @cached_property
    def fingerprint(self) -> str:
        """Return a name that changes with the matrix."""
        return hashlib.sha256(self.matrix.tobytes()).hexdigest()[:16]

    def write(self, path: Path) -> None:
        """Write the adapter to a file; a reader sees the old file or the new one."""
        raw, packed = io.BytesIO(), io.BytesIO()
        np.save(raw, self.matrix, allow_pickle=False)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(ABOUT, self.about.model_dump_json(indent=1))
            file.writestr(MATRIX, raw.getvalue())
        real = Path(os.path.realpath(path))
        draft = real.with_name(f".{real.name}-{os.getpid()}")
        try:
            draft.write_bytes(packed.getvalue())
            os.replace(draft, real)
        finally:
            draft.unlink(missing_ok=True)


def read_adapter(path: Path, model: str, dimensions: int) -> QueryAdapter:
    """Read the adapter of an embedding model from a file.

    Args:
        path: The file.
        model: The fingerprint of the embedding model.
        dimensions: Length of its vectors.

    Raises:
        ProfileError: It cannot be read, or was learned for another model.
    """
    about = read_about(path)
    require_model(path, about, model)
    try:
        with zipfile.ZipFile(path) as file:
            matrix = np.load(io.BytesIO(file.read(MATRIX)), allow_pickle=False)
    except (*DAMAGED, ValueError) as error:
        raise unusable_adapter(path, "is damaged") from error
    if matrix.shape != (dimensions, dimensions) or matrix.dtype != np.float32 or not np.isfinite(matrix).all():
        raise unusable_adapter(path, f"does not hold a matrix of {dimensions} x {dimensions} finite numbers")
    return QueryAdapter(about, matrix)


def find_adapter(section: EmbeddingBase, encoder: Encoder) -> QueryAdapter | None:
    """Return the adapter that a profile names for the questions of ``encoder``.

    Raises:
        ProfileError: It cannot be read, or was learned for another model.
    """
    if section.adapter is None:
        return None
    return read_adapter(section.adapter, text_fingerprint(encoder, section.text_prefix), encoder.dimensions)

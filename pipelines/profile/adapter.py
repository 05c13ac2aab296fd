"""The file of a query adapter: what it says of itself, beside its matrix.

It is a ZIP archive of ``about.json`` and ``matrix.npy``, so that a profile can be checked without NumPy.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pipelines.errors import Problem, ProfileError

KEY = "embedding -> adapter"
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError)
"""What reading a file that is no adapter raises; RuntimeError where it is encrypted, or compressed in another way."""
ABOUT, MATRIX = "about.json", "matrix.npy"
_ADVICE = "run footnote finetune to write a new one"


class AdapterAbout(BaseModel):
    """What an adapter was learned from, and what it is worth on questions that it was not learned from.

    Attributes:
        model: The fingerprint of the embedding model.
        dimensions: Length of its vectors.
        dataset: The data set.
        questions: Number of its questions.
        before: Mean nDCG@10 without the adapter.
        after: Mean nDCG@10 with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    version: Literal[1] = 1
    model: str
    dimensions: int
    dataset: str
    questions: int
    before: float
    after: float


def read_about(path: Path) -> AdapterAbout:
    """Read what an adapter's file says of itself.

    Raises:
        ProfileError: There is no such file, or it is no adapter.
    """
    try:
        with zipfile.ZipFile(path) as file:
            return AdapterAbout.model_validate_json(file.read(ABOUT))
    except FileNotFoundError:
        reason = "does not exist (relative to the profile)"
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
    except (*DAMAGED, ValidationError):
        reason = "is not an adapter"
    raise unusable_adapter(path, reason)


def require_model(path: Path, about: AdapterAbout, model: str) -> None:
    """Check that an adapter was learned for the embedding model with the fingerprint ``model``.

    Raises:
        ProfileError: It was learned for another.
    """
    if about.model != model:
        raise unusable_adapter(path, f"was learned for the model {about.model}, the profile's is {model}")


def unusable_adapter(path: Path, reason: str) -> ProfileError:
    """Return the error for an adapter that cannot be used."""
    return ProfileError("of the tenant", (Problem(KEY, f"{path.name} {reason}; {_ADVICE}"),))


def adapter_problems(path: Path | None) -> tuple[Problem, ...]:
    """Return the problems of the adapter that a profile names."""
    if path is None:
        return ()
    try:
        read_about(path)
    except ProfileError as error:
        return error.problems
    return ()

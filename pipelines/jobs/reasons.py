"""Why a job failed, in words that may leave the process."""

from __future__ import annotations

from pipelines.errors import (
    DataFolderHeld,
    EmbeddingChanged,
    FootnoteError,
    MissingPackage,
    ModelMissing,
    ProfileError,
    Unavailable,
)

# Their messages name folders, addresses and settings: they are for the log of whoever carries jobs out.
_PRIVATE = (ProfileError, MissingPackage, ModelMissing, DataFolderHeld, EmbeddingChanged, Unavailable)
_SEE_LOG = "the log of the process that carried it out says more"


def reason_of(error: Exception, attempts: int = 1) -> str:
    """What kept a job from being done, after that many tries in a row."""
    tries = f" (tried {attempts} times)" if attempts > 1 else ""
    if isinstance(error, Unavailable):
        return f"a part that it needs is not available: {error.code}{tries}; {_SEE_LOG}"
    if isinstance(error, FootnoteError) and not isinstance(error, _PRIVATE):
        return f"{error.message}{tries}"
    name = error.code if isinstance(error, FootnoteError) else f"an unexpected error, {type(error).__name__}"
    return f"it could not be carried out: {name}; {_SEE_LOG}"

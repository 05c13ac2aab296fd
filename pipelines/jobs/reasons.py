"""Reasons for failed jobs that may be shown to users."""

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

# Their messages name folders, addresses and settings, which belong in the log only.
_PRIVATE = (ProfileError, MissingPackage, ModelMissing, DataFolderHeld, EmbeddingChanged, Unavailable)
_SEE_LOG = "see the log of the process that ran it"


def reason_of(error: Exception, attempts: int = 1) -> str:
    """Return why a job failed after ``attempts`` tries in a row."""
    tries = f" (tried {attempts} times)" if attempts > 1 else ""
    if isinstance(error, Unavailable):
        return f"a required component is unavailable: {error.code}{tries}; {_SEE_LOG}"
    if isinstance(error, FootnoteError) and not isinstance(error, _PRIVATE):
        return f"{error.message}{tries}"
    name = error.code if isinstance(error, FootnoteError) else f"an unexpected error, {type(error).__name__}"
    return f"it failed: {name}; {_SEE_LOG}"

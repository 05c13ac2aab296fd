"""The table of statuses is total, and nothing private is in what it lets out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from app.http.errors import STATUSES, DocumentFailed, error_classes, is_private, status_of
from pipelines.errors import (
    Conflict,
    DataFolderHeld,
    DocumentTooLarge,
    EmbeddingChanged,
    EmbeddingUnavailable,
    EmptyDocument,
    FootnoteError,
    InvalidFilter,
    LlmBusy,
    LlmTimeout,
    ModelMissing,
    PartTimeout,
    Problem,
    ProfileError,
    TenantNotFound,
)

import_module("app.main")  # so that every class of the facade is known too


@pytest.mark.parametrize("kind", [*error_classes()], ids=lambda kind: kind.__name__)
def test_every_error_has_a_status_that_somebody_chose(kind: type[FootnoteError]) -> None:
    chosen = next(above for above in kind.__mro__ if above in STATUSES)
    assert chosen is not FootnoteError or kind in (FootnoteError, DocumentFailed)


@pytest.mark.parametrize("kind", [*error_classes()], ids=lambda kind: kind.__name__)
def test_every_error_has_a_code_of_its_own(kind: type[FootnoteError]) -> None:
    same = {other for other in error_classes() if other.code == kind.code}
    assert same == {kind} or kind in (FootnoteError, DocumentFailed)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidFilter(Problem("filters -> a", "unknown field")), 422),
        (EmptyDocument(), 422),
        (DocumentTooLarge(2, 1, "bytes", "limits -> file_bytes"), 413),
        (TenantNotFound("x"), 404),
        (Conflict("busy"), 409),
        (EmbeddingUnavailable("ollama", "refused"), 503),
        (PartTimeout("ollama", 3), 504),
        (LlmBusy("ollama", "4 calls run"), 503),
        (LlmTimeout("ollama", 3), 504),
        (FootnoteError("odd"), 500),
        (DocumentFailed("document_too_large", "it is too large"), 413),
        (DocumentFailed("document_encrypted", "it is locked"), 422),
        (DocumentFailed("embedding_unavailable", "refused"), 503),
        (DocumentFailed(None, "it cannot be read"), 422),
    ],
)
def test_the_status_is_that_of_the_nearest_class_in_the_table(error: FootnoteError, status: int) -> None:
    assert status_of(error) == status


_SECRET = "/home/somebody/footnote"
_PRIVATE: list[Any] = [
    ProfileError(_SECRET, (Problem("auth", "no"),)),
    ModelMissing("bundled", _SECRET),
    DataFolderHeld(_SECRET),
    EmbeddingChanged("t", _SECRET, "other"),
    EmbeddingUnavailable("embedding", f"no file {_SECRET}"),
    DocumentFailed("embedding_unavailable", f"no file {_SECRET}"),
    FootnoteError(_SECRET),
]


@pytest.mark.parametrize("error", _PRIVATE, ids=lambda error: type(error).__name__)
def test_messages_that_name_folders_and_addresses_stay_inside(error: FootnoteError) -> None:
    assert _SECRET in error.message
    assert is_private(error)


def test_messages_for_the_caller_go_out() -> None:
    assert not is_private(TenantNotFound("x"))
    assert not is_private(DocumentFailed("document_encrypted", "it is locked"))

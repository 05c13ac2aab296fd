"""Failures in PocketPal's envelope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime

from fastapi import Request
from fastapi.responses import JSONResponse

from app.contracts.pocketpal.schemas.base import ErrorBody, RAGError
from app.http.failures import Failure
from app.http.telemetry import request_id

_RAG_CODES: Mapping[str, str] = {
    **dict.fromkeys(("path_outside_roots", "file_not_found", "document_invalid"), "RAG_001"),
    **dict.fromkeys(("embedding_unavailable", "model_missing", "package_missing", "model_unknown"), "RAG_002"),
    "storage_full": "RAG_003",
    "disk_full": "RAG_003",
    "timeout": "RAG_004",
    **dict.fromkeys(("store_unavailable", "catalogue_missing", "catalogue_newer", "embedding_changed"), "RAG_005"),
    **dict.fromkeys(("catalogue_damaged", "tenant_not_opened"), "RAG_005"),
    **dict.fromkeys(("memory_full", "request_too_large", "batch_too_large"), "RAG_006"),
}


def error_response(request: Request, failure: Failure) -> JSONResponse:
    """Return a failure in PocketPal's envelope."""
    body = ErrorBody(
        code=_code(failure),
        message=failure.detail,
        details={"problems": [asdict(problem) for problem in failure.problems]} if failure.problems else None,
        timestamp=datetime.now(UTC),
        request_id=request_id(request),
    )
    content = RAGError(error=body).model_dump(mode="json", exclude_none=True)
    return JSONResponse(content, failure.status, dict(failure.headers))


def _code(failure: Failure) -> str:
    unreadable = failure.code.startswith("document_") and failure.code != "document_not_found"
    return _RAG_CODES.get(failure.code) or ("RAG_001" if unreadable else failure.code.upper())

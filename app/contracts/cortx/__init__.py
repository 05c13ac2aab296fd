"""CORTX's API over a hierarchy of knowledge: `POST /v1/ingest`, `POST /v1/query`, `POST /v1/search`.

Deviations from the published document:

- Vectors have the length of the profile's embedding model, 384 as shipped, and are made in the process.
- The document names no shape for errors; they are `{"error": {"code", "message", "details", "request_id"}}`.
- `stream: true` answers with server-sent events: `sources`, `token`, `citation`, `done` (the whole answer), `error`.
"""

from app.contracts.cortx.routes import build

__all__ = ["build"]

"""The robotics textbook's API: `POST /ingest`, `POST /query`, `GET /health`.

Deviations from the published document:

- Vectors have the length of the profile's embedding model: 384 as shipped, 1536 with `configs/textbook/openai.yaml`.
- Ids of documents are UUIDs everywhere; the payload example's slug is read as an example only.
"""

from app.contracts.textbook.routes import build

__all__ = ["build"]

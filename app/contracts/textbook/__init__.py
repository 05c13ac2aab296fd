"""The robotics textbook's API: `POST /ingest`, `POST /query`, `GET /health`.

Deviations from the published document, and what it leaves open:

- Vectors have the length of the profile's embedding model: 384 as shipped, 1536 with `configs/textbook/openai.yaml`.
- The last chunk of a document may be shorter than 650 characters.
- Errors of a request that reaches no route, or may not, keep their own status: 401, 403, 404, 405, 421, 429.
- Whole numbers are read as the published models read them: `"4"` and `4.0` are 4. `true` is refused, which they take.
- The document's example of an ingestion is shorter than its minimum of 100 characters, and is refused as it says.
- Ids of documents are UUIDs everywhere; the payload example's slug is read as an example only.
- Payloads in Qdrant are Footnote's own, in a collection `footnote_<tenant>`: `chunk_text`, `doc_id` and `chunk_index`
  are `text`, `document_id` and `index` there; `chapter`, `section` and `page` are under `metadata`, and are indexed.
  The chunks of `POST /query` have all of the published names.
"""

from app.contracts.textbook.routes import build

__all__ = ["build"]

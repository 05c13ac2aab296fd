"""The robotics textbook's API: `POST /ingest`, `POST /query`, `GET /health`.

Deviations from the published document, and what it leaves open:

- Vectors have the length of the profile's embedding model: 384 as shipped, 1536 with `configs/textbook/openai.yaml`.
- The last chunk of a document may be shorter than 650 characters.
- Errors of a request that reaches no route, or may not, keep their own status: 401, 403, 404, 405, 421, 429.
- Whole numbers are read as the published models read them: `"4"` and `4.0` are 4. `true` is refused, which they take.
- Unknown keys of a request are ignored, as the published models ignore them, unless they misspell a known one or are a
  word of it (`chapter`: did you mean "chapter_filter"?). Query parameters, of which no route takes any, are refused.
- The document's example of an ingestion is shorter than its minimum of 100 characters, and is refused as it says.
- Ids of documents are UUIDs everywhere; the payload example's slug is read as an example only.
- `configs/textbook/server.yaml` keeps chunks in the collection `documentation_chunks`. Their payloads have the
  published names, `chapter` indexed, beside Footnote's own, but for `page`: it is null, or the page within a file, and
  the published one is `metadata.page`. Vectors are named (`dense`, `bm25`), and chunks of former versions have a
  `valid_to`. Other stores have Footnote's own names alone.
- A document without a chapter or a page, which came in another way, is not found by `query`.
- `page` of a chunk is where its document begins. Where a file has pages, it is the chunk's own: the printed number, or
  the document's first page and those before the chunk.
"""

from app.contracts.textbook.routes import build

__all__ = ["build"]

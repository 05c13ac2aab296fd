"""SmartBreeds' API on breeds, health and care of pets, under `/api/v1`.

Routes: `POST rag/query`, `POST rag/ingest`, `GET rag/status`, `POST rag/explain-products`, `POST vision/analyze`.

Deviations from the published document, and what it leaves open:

- Vectors are made by the profile's embedding model in this process, all-MiniLM-L6-v2 as published, and live in Qdrant
  instead of ChromaDB. Without a language model within reach answers are quotes, marked `model: "extractive"`.
- Of a chunk of up to 500 tokens the bundled model reads the first 256; the rest is found by its words alone.
- The document names no shape for errors; they are `{"success": false, "data": null, "error": {"code", "message",
  "details", "request_id"}, "timestamp"}`. `vision/analyze` has a `timestamp` too, which the document leaves out there.
- `traits`, `health_considerations` and `enriched_info` are there where the options ask for them. `enriched_info` is
  null where the documents know no such breed: what a model saw becomes a filter only if it names a breed of theirs.
- `document_id` is `<doc_type>_<stem>`. Of two documents of the same doc_type and name in different folders the second
  one has a number behind it (`_2`), and `source_file` names both. A `source_name` without a folder is the document of
  that name, whatever its folder.
- `chunk_id` is `<document_id>_<section>_<number>`; the number counts the chunks of the document, from 1. The native API
  knows chunks by UUIDs.
- Filters take `source_file` and `updated_at` of a chunk's metadata, and no `chunk_index`: a filter selects documents.
- `rag/status` is sketched as "collection stats": its fields, and `collection` as the tenant's name, are chosen here.
- A question that the documents do not answer says so: `abstained`, with `reason`, and a 200.
- The document names a purpose, and no route, for explanations of products: it is `rag/explain-products`.
- `scope`, `pet`, `conversation_id` and `user` of a question, and `pet`, `conversation_id`, `rewritten_question`,
  `variant` and `claims` of its answer are added. Requests with a photograph have a limit of their own, 60 a minute.
"""

from app.contracts.smartbreeds.routes import build

__all__ = ["build"]

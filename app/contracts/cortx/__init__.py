"""CORTX's API over a hierarchy of knowledge: `POST /v1/ingest`, `POST /v1/query`, `POST /v1/search`.

Deviations from the published document, and what it leaves open:

- Vectors have the length of the profile's embedding model, 384 as shipped, are made in the process, and live in Qdrant
  instead of pgvector; `DATABASE_URL` is asked for by `server.yaml` alone.
- The AI Broker's protocol is not published. `broker.yaml` takes it for OpenAI's, and reads `AI_BROKER_URL`,
  `EMBEDDING_MODEL` and `GENERATION_MODEL`. As shipped answers are written by a language model on Ollama, at
  `OLLAMA_URL`; where there is none they are quotes, marked `model: "extractive"`.
- Of a chunk of up to 512 tokens the bundled model reads the first 256; the rest is found by its words alone.
- `conversation_id`, in a question and its answer, is added.
- `version` in metadata is the author's; `version` of an answer to `ingest` counts the states of the document.
- `timestamp` in a chunk's metadata is when this version of its document came in, unless the author names one.
- A document that is there already, in this very state, is answered with 201 and its chunks, and `state: "unchanged"`.
- Files of the knowledge folder have their paths as `document_id`, also where a new version is ingested here; what is
  new here has a UUID, also where a file of the folder becomes its next version.
- The document names no shape for errors; they are `{"error": {"code", "message", "details", "request_id"}}`.
- `stream: true` answers with server-sent events: `sources`, `token`, `citation`, `done` (the whole answer), `error`.
"""

from app.contracts.cortx.routes import build

__all__ = ["build"]

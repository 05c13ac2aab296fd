"""OpenPharma's API over diabetes research: `POST /ask`, `POST /search`; in Python `app.rag` and `app.retrieval`.

Deviations from the published document, and what it leaves open:

- Chunks are embedded in the process (384 dimensions as shipped) and live in Qdrant, not in Postgres.
- `similarity_score` is the score of the hybrid search with its reranking, in 0..1, and not a bare cosine.
- Without `llm_provider` the provider of the profile answers over HTTP, ollama as shipped; `answer_query` asks ollama.
- A filter on `source_id` finds a paper with and without `PMC` before its digits.
- `llm_provider` in an answer is the provider that was asked for. Who wrote is in `model` and `llm_generated`: where the
  model is away, the answer is made of quotes, with `model: "extractive"`.
- Conversations are kept in the catalogue, `app/rag/conversation_manager.py` is not there.
- Multi-step reasoning does without LangGraph: sub-questions come from LlamaIndex's question generators, in `steps`.
- `source_id` of a clinical trial is its NCT number, and that of a document without an id of its own the document's.
- A question about a drug is not answered from passages about another one; `drugs.txt` says which names mean what.
- `title` of a citation is the paper's with authors and year before it, as in the document's example; that of a search's
  result is the paper's alone.
- The document names no shape for errors; they are `{"detail", "code", "errors", "request_id"}`.
- `stream: true` answers with server-sent events: `step` for each sub-question, `sources`, `token`,
  `citation`, `done` (the whole answer), `error`.
"""

from app.contracts.openpharma.routes import build

__all__ = ["build"]

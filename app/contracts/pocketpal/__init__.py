"""PocketPal's RAG API: everything under `/api/rag/`.

Deviations from the published document, and what it leaves open:

- Models run on ONNX Runtime in the server, not on TFLite. The bundled one is called `sentence-transformers-mobile`, and
  answers to `mobile-sentence-transformer` and its true name too. Its vectors are unit vectors, `normalize: false`
  changes nothing.
- `vectorStore.algorithm` is `hnsw`; `faiss` is refused. `embedding.dimensions` are the model's.
- `documentPath` and the paths of a batch are read on the server, inside the folders that the profile allows.
- `documentType: web` reads an HTML file; nothing is fetched.
- `query` may be left out where `queryVector` is given; the vector is then searched alone, without BM25.
- `dateRange` is about when documents were first ingested; a date without time means that whole day.
- Deleting erases a document's history too, except for a key with a scope, which may not.
- Bytes of one document are reckoned: its content, and a vector for each chunk, for each dimension half a byte or as
  many as `store -> quantization` keeps (none: 4, int8: 5, turbo8: 1, turbo4: 0.5). Totals are measured on disk, without
  the store's log.
- `GET /api/rag/tasks/{taskId}`, `GET /api/rag/batch/{batchId}` and `GET /api/rag/storage` are not in the document,
  which names no route for them. Automatic cleanup is set with `PUT /api/rag/config`, under `storage`.
- `performance.indexingBatchSize` bounds the documents of one batch; more of them are `RAG_006`.
- `errors` and `error` in a batch, `storage` in the configuration, and `taskId` and `message` behind a change of it are
  added. `path` of an error is the file's below its folder, which is the document's id, or as it was sent where the file
  is outside of the folders.
- Keys of a request that the document does not name are refused with the nearest known one. Further keys of a document's
  `metadata` are kept.
- The example of the SDK runs as written: `file://...` stands for the server on this machine.
- Errors that are none of `RAG_001` to `RAG_006`, such as a bound that is broken, have a code of their own in capitals.
- The platform-specific configurations of iOS and Android belong to the phone, and have no route.
"""

from app.contracts.pocketpal.routes import build

__all__ = ["build"]

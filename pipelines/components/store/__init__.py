"""Where chunks are kept: Qdrant Edge in process, Qdrant servers, both behind LlamaIndex's ``QdrantVectorStore``."""

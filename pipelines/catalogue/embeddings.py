"""Vectors by text, so that the same text is embedded once per model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pipelines.catalogue.tables import EmbeddingRow

Vector = npt.NDArray[np.float32]
_PER_QUERY = 500


class EmbeddingCache:
    """A tenant's vectors by key (32 bytes), kept in the catalogue's database as float32."""

    def __init__(self, engine: sa.Engine, tenant: str) -> None:
        self._engine = engine
        self._tenant = tenant

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """The vectors that are known among ``keys``."""
        found: dict[bytes, Vector] = {}
        with self._engine.connect() as connection:
            for part in _parts(keys):
                query = sa.select(EmbeddingRow.key, EmbeddingRow.vector).where(self._among(part))
                for key, vector in connection.execute(query):
                    found[bytes(key)] = np.frombuffer(vector, dtype=np.float32)
        return found

    def put(self, vectors: Mapping[bytes, Vector], owners: Mapping[bytes, str]) -> None:
        """Keeps ``vectors``, each for the document that holds its text; one that is known already stays."""
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        rows = [
            {"key": key, "tenant": self._tenant, "document_id": owners[key], "vector": vector.tobytes()}
            for key, vector in vectors.items()
        ]
        with self._engine.begin() as connection:
            connection.execute(dialect.insert(EmbeddingRow).on_conflict_do_nothing(), rows)

    def count_of(self, document_id: str) -> int:
        """How many vectors are kept for a document."""
        with self._engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.count()).where(*self._of(document_id))) or 0

    def forget(self, document_id: str) -> int:
        """Forgets the vectors of a document; gives how many there were.

        Where another document holds one of the texts too, it is embedded again when it changes.
        """
        with self._engine.begin() as connection:
            return connection.execute(sa.delete(EmbeddingRow).where(*self._of(document_id))).rowcount

    def _of(self, document_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (EmbeddingRow.tenant == self._tenant, EmbeddingRow.document_id == document_id)

    def _among(self, keys: Sequence[bytes]) -> sa.ColumnElement[bool]:
        return sa.and_(EmbeddingRow.tenant == self._tenant, EmbeddingRow.key.in_(keys))


def _parts(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), _PER_QUERY):
        yield keys[start : start + _PER_QUERY]

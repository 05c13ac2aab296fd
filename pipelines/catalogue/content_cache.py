"""What was made of a text once and is kept by the text's hash, each with the document that first held the text."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from pipelines.catalogue.database import explained, insert_into, parts
from pipelines.catalogue.tables import EmbeddingRow, ExtractRow

Value = TypeVar("Value")


class ContentCache(ABC, Generic[Value]):
    """A tenant's values by key (32 bytes), in one table of the catalogue's database.

    Every method raises StoreUnavailable when the database does not do its part.

    Args:
        engine: The database.
        tenant: Whose values they are.
        shared: Whether documents share the values of equal texts. Where keys can be limited to scopes they do not:
            how long an ingestion takes would say whether another scope holds a text.
    """

    row: type[EmbeddingRow] | type[ExtractRow]
    column: str

    def __init__(self, engine: sa.Engine, tenant: str, *, shared: bool = True) -> None:
        self._engine = engine
        self._tenant = tenant
        self._shared = shared

    def key(self, made_of: bytes, document_id: str) -> bytes:
        """Return the key (32 bytes) of a document's value; ``made_of`` is the SHA-256 of all that decides the value."""
        if self._shared:
            return made_of
        return hashlib.sha256(made_of + document_id.encode(errors="surrogatepass")).digest()

    @abstractmethod
    def stored(self, value: Value) -> Any:
        """``value`` as its column has it."""

    @abstractmethod
    def read(self, stored: Any) -> Value:
        """Return the value that a column holds."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Value]:
        """Return the values that are known among ``keys``."""
        found: dict[bytes, Value] = {}
        with explained(), self._engine.connect() as connection:
            for part in parts(keys):
                query = sa.select(self.row.key, getattr(self.row, self.column)).where(self._among(part))
                for key, stored in connection.execute(query):
                    found[bytes(key)] = self.read(stored)
        return found

    def put(self, values: Mapping[bytes, Value], owners: Mapping[bytes, str]) -> None:
        """Keep ``values``, each for the document that holds its text; one that is known already stays."""
        rows = [
            {"key": key, "tenant": self._tenant, "document_id": owners[key], self.column: self.stored(value)}
            for key, value in values.items()
        ]
        with explained(), self._engine.begin() as connection:
            connection.execute(insert_into(self._engine, self.row).on_conflict_do_nothing(), rows)

    def count_of(self, document_id: str) -> int:
        """Return how many values are kept for a document."""
        with explained(), self._engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(self.row).where(*self._of(document_id))
            return connection.scalar(query) or 0

    def forget(self, document_id: str) -> int:
        """Forget the values of a document; return how many there were.

        Where another document holds one of the texts too, its value is made again when that one changes.
        """
        with explained(), self._engine.begin() as connection:
            return connection.execute(sa.delete(self.row).where(*self._of(document_id))).rowcount

    def _of(self, document_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return (self.row.tenant == self._tenant, self.row.document_id == document_id)

    def _among(self, keys: Sequence[bytes]) -> sa.ColumnElement[bool]:
        return sa.and_(self.row.tenant == self._tenant, self.row.key.in_(keys))


Extract = str | list[str]


class ExtractCache(ContentCache[Extract]):
    """A tenant's titles and summaries (a text), keywords and questions (a list of them), and pages that were recognised
    (a list of the text, the confidence and what is amiss with it)."""

    row = ExtractRow
    column = "value"

    def stored(self, value: Extract) -> Any:
        """See `ContentCache`."""
        return [value] if isinstance(value, str) else [list(value)]

    def read(self, stored: Any) -> Extract:
        """See `ContentCache`."""
        value: Extract = stored[0]
        return value


Vector = npt.NDArray[np.float32]


class EmbeddingCache(ContentCache[Vector]):
    """A tenant's vectors, kept as float32."""

    row = EmbeddingRow
    column = "vector"

    def stored(self, value: Vector) -> bytes:
        """See `ContentCache`."""
        return value.tobytes()

    def read(self, stored: Any) -> Vector:
        """See `ContentCache`."""
        return np.frombuffer(stored, dtype=np.float32)

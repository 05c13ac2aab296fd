"""The readers as LlamaIndex's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from pipelines.reading import SUPPORTED_SUFFIXES, read


class FootnoteReader(BaseReader):
    """Reads files of every known format, as ``file_extractor`` of a `SimpleDirectoryReader` and elsewhere.

    Nothing bounds what a hostile file may cost; `Engine.ingest_path` reads with limits.
    """

    def load_data(
        self, file: str | Path, extra_info: Mapping[str, Any] | None = None, **load_kwargs: Any
    ) -> list[Document]:
        """Return the file as one document; its metadata has ``file_name``, ``title`` and what the file says of itself.

        Raises:
            UnreadableDocument: The file is empty, locked, damaged, not what it is called, or of no known format.
        """
        path = Path(file)
        parsed = read(path.read_bytes(), name=path.name)
        own = {"file_name": path.name, "file_path": str(path), "title": parsed.title or path.stem}
        return [Document(text=parsed.text, metadata={**parsed.metadata, **own, **(extra_info or {})})]


def file_readers() -> dict[str, BaseReader]:
    """Return a reader for each ending of file names, as a `SimpleDirectoryReader` takes them."""
    reader = FootnoteReader()
    return dict.fromkeys(sorted(SUPPORTED_SUFFIXES), reader)

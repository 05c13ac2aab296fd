"""What a language model made of a text, so that it is asked once for the same text."""

from __future__ import annotations

from typing import Any

from pipelines.catalogue.content_cache import ContentCache
from pipelines.catalogue.tables import ExtractRow

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

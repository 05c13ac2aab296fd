"""Footnote's core: ingestion, retrieval and cited answers, without HTTP.

``from pipelines import open_engine`` is all that a notebook needs. The name is looked up when first used, so that
importing the error tree or the profile does not load LlamaIndex.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipelines.engine import Engine, ScopedEngine, open_engine

__all__ = ["Engine", "ScopedEngine", "open_engine"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("pipelines.engine"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Footnote's core: ingestion, retrieval and cited answers, without HTTP.

``from pipelines import open_engine`` is all that a notebook needs. Names are looked up when first used, so that
importing the error tree or the profile does not load LlamaIndex.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipelines.engine import Engine, ScopedEngine, TenantAdmin, TenantReader, move, open_engine, restore
    from pipelines.engine.connecting import connections
    from pipelines.engine.measurements import calibrate, compare, evaluate, finetune
    from pipelines.models import devices
    from pipelines.types import (
        Answer,
        Citation,
        Claim,
        Document,
        DocumentInput,
        DocumentPage,
        Explanation,
        Hit,
        IngestResult,
        Query,
        SearchResult,
        Span,
        Stats,
    )

__all__ = [
    "Answer",
    "Citation",
    "Claim",
    "Document",
    "DocumentInput",
    "DocumentPage",
    "Engine",
    "Explanation",
    "Hit",
    "IngestResult",
    "Query",
    "ScopedEngine",
    "SearchResult",
    "Span",
    "Stats",
    "TenantAdmin",
    "TenantReader",
    "calibrate",
    "compare",
    "connections",
    "devices",
    "evaluate",
    "finetune",
    "move",
    "open_engine",
    "restore",
]
_OF_THE_ENGINE = ("Engine", "ScopedEngine", "TenantAdmin", "TenantReader", "move", "open_engine", "restore")
_ELSEWHERE = {
    **dict.fromkeys(_OF_THE_ENGINE, "pipelines.engine"),
    "connections": "pipelines.engine.connecting",
    "devices": "pipelines.models",
    **dict.fromkeys(("calibrate", "compare", "evaluate", "finetune"), "pipelines.engine.measurements"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, "pipelines.types")), name)


def __dir__() -> list[str]:
    return __all__

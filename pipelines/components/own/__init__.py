"""Components of the caller's own: LlamaIndex objects in the place of what a profile would build."""

from pipelines.components.own.components import NO_COMPONENTS, OwnComponents, read_components
from pipelines.components.own.embedding import OwnEmbedder
from pipelines.components.own.extractor import OwnExtractor
from pipelines.components.own.installed import build_installed
from pipelines.components.own.splitter import OwnSplitter

__all__ = [
    "NO_COMPONENTS",
    "OwnComponents",
    "OwnEmbedder",
    "OwnExtractor",
    "OwnSplitter",
    "build_installed",
    "read_components",
]

"""The facade: HTTP and the command line over the core, knowing nothing of LlamaIndex, Qdrant and SQL."""

__version__ = "0.1.0"

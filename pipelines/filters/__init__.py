"""The filter language, and its compilation to Qdrant."""

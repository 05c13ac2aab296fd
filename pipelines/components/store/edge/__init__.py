"""Qdrant Edge with the method names of qdrant-client."""

"""Extractors of metadata from documents."""

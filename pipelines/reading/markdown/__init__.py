"""Markdown with its dialects: MDX, MkDocs, Hugo, Jekyll."""

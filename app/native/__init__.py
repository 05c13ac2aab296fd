"""Footnote's own HTTP API, under ``/tenants/{tenant}``: the shapes that the core's values have on the wire."""

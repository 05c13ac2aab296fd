"""Prometheus metrics at `/metrics`: requests, questions, documents and parts, by tenant.

Labels come from closed sets: tenants that are served, templates of routes, models that profiles allow, states and
codes. Nothing that a caller may choose makes a new series.
"""

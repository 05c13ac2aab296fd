"""Footnote's own routes: parse, call the core, map; each file has those of one subject."""

from app.native.routes import conversations, documents, feedback, jobs, keys, search, tenants, upkeep

ROUTERS = (
    *tenants.ROUTERS,
    *documents.ROUTERS,
    *search.ROUTERS,
    *conversations.ROUTERS,
    *feedback.ROUTERS,
    *jobs.ROUTERS,
    *keys.ROUTERS,
    *upkeep.ROUTERS,
)

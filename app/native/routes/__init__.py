"""Footnote's own routes: parse, call the core, map; each file has those of one subject."""

from app.native.routes import conversations, documents, jobs, search, upkeep

ROUTERS = (*documents.ROUTERS, *search.ROUTERS, *conversations.ROUTERS, *jobs.ROUTERS, *upkeep.ROUTERS)

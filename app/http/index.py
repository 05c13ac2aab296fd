"""The page at ``/`` of a server of several tenants: which there are, and where each is documented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from starlette.requests import Request

from app.http.keyring import Keyring
from app.http.security import presented_key
from pipelines.profile.schema import Profile

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:3rem auto;padding:0 1rem;color:#1f2328}"
    "h1{font-size:1.4rem}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.4rem .6rem;border-bottom:1px solid #d0d7de;text-align:left}a{color:#0550ae}"
)


def index_page(profiles: Sequence[Profile], request: Request) -> str:
    """The page, as HTML that loads nothing from elsewhere; it names the tenants that the caller may read."""
    keyring: Keyring = request.state.keyring
    readable = keyring.open_tenants | keyring.holdings(presented_key(request))
    rows = "".join(_rows([profile for profile in profiles if profile.tenant in readable]))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Footnote</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        "<h1>Footnote</h1><p>Documents in, answers out, and every answer with footnotes that can be checked.</p>"
        f"<table><tr><th>Tenant</th><th>Published API</th></tr>{rows}</table>"
        '<p>The native API of every tenant: <a href="tenants/docs">tenants/docs</a></p></body></html>'
    )


def _rows(profiles: Sequence[Profile]) -> Iterator[str]:
    for profile in profiles:
        docs = f"{profile.tenant}/docs"
        link = f'<a href="{escape(docs)}">{escape(docs)}</a>' if profile.contract else "none"
        yield f"<tr><td>{escape(profile.title)} ({escape(profile.tenant)})</td><td>{link}</td></tr>"

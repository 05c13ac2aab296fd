"""``footnote mcp``."""

from __future__ import annotations

import typer

from app.commands.access import opened
from app.commands.options import Data, ProfileName
from app.mcp.transports import serve_stdio
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def mcp(profile: ProfileName, *, data: Data = None) -> None:
    """Offer a tenant over the Model Context Protocol, on standard input and output."""
    loaded = load_profile(profile)
    with opened(loaded, data) as tenant:
        serve_stdio(loaded.profile, tenant)

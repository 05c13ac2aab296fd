"""``footnote stats``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, excerpt, say, when
from app.native.schemas.upkeep import StatsResponse

_QUESTION_CHARS = 70
_COUNTS = ("documents", "failed", "stale", "chunks", "versions", "snapshot", "bytes")
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def stats(
    profile: ProfileName,
    *,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=0, max=1000, help="Most questions of each kind.")
    ] = 10,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Show what a tenant holds, and its most-asked and unanswered questions."""
    with opened(profile, data) as tenant:
        say(tenant.stats(most), as_json, _print)


def _print(found: StatsResponse) -> None:
    print(columns((name, str(getattr(found, name))) for name in _COUNTS))
    cache = found.answer_cache
    if cache.mode != "off":
        print(f"answers from the cache: {cache.hits} of {cache.hits + cache.misses}; {cache.entries} kept")
    asked = ((one.question, str(one.count), when(one.last), f"{one.relevance:.2f}") for one in found.top_questions)
    _table(("ASKED MOST", "TIMES", "LAST", "RELEVANCE"), asked)
    unanswered = ((one.question, str(one.count), when(one.last), one.reason) for one in found.unanswered)
    _table(("ASKED IN VAIN", "TIMES", "LAST", "REASON"), unanswered)


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    listed = [(excerpt(question, _QUESTION_CHARS), *others) for question, *others in rows]
    if listed:
        print()
        print(columns([heads, *listed]))

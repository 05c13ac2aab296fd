"""``footnote search``."""

from __future__ import annotations

from typing import Annotated

import typer

from app.commands.access import opened_for_questions, warn_if_empty
from app.commands.options import AsJson, AsOf, Data, FilterJson, Inherit, ProfileName, ScopeJson, SearchMode, TopK
from app.commands.output import passage, place, print_json
from app.commands.values import parse_query
from app.native.schemas.search import HitSchema

_EXCERPT = 400
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def search(
    profile: ProfileName,
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False, help="What to search for.")],
    *,
    top_k: TopK = None,
    filter_json: FilterJson = None,
    scope_json: ScopeJson = None,
    inherit: Inherit = True,
    mode: SearchMode = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Find the chunks that answer a query."""
    asked = parse_query(query, filter_json, scope_json, top_k=top_k, inherit=inherit, mode=mode, as_of=as_of)
    with opened_for_questions(profile, data) as tenant:
        found = tenant.search(asked)
        if not found.results:
            warn_if_empty(tenant, profile)
    if as_json:
        print_json(found)
        return
    for rank, hit in enumerate(found.results, 1):
        _print(rank, hit)
    if not found.results:
        print("Nothing was found.")


def _print(rank: int, hit: HitSchema) -> None:
    print(f"{rank}. {hit.score:.2f}  {place(hit)}")
    print(passage(hit.content, hit.headings, _EXCERPT, indent="   "))
    print()

"""``footnote search``."""

from __future__ import annotations

from typing import Annotated

import typer

import pipelines
from app.commands.options import AsJson, Data, FilterJson, ProfileName, SearchMode, TopK
from app.commands.output import excerpt, place, print_json, wrapped
from app.commands.values import parse_filters
from app.native import mapping
from app.settings import data_folder
from pipelines.types import Hit

_EXCERPT = 400
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def search(
    profile: ProfileName,
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False, help="What to search for.")],
    *,
    top_k: TopK = None,
    filter_json: FilterJson = None,
    mode: SearchMode = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Find the chunks that answer a query."""
    filters = parse_filters(filter_json)
    with pipelines.open_engine(profile, data_folder(data)) as engine:
        result = engine.search(query, top_k=top_k, filters=filters, mode=mode)
    if as_json:
        print_json(mapping.search_response(result))
        return
    for rank, hit in enumerate(result, 1):
        _print(rank, hit)
    if not result:
        print("Nothing was found.")


def _print(rank: int, hit: Hit) -> None:
    print(f"{rank}. {hit.score:.2f}  {place(hit)}")
    print(wrapped(excerpt(hit.content, _EXCERPT), indent="   "))
    print()

"""``footnote facets``."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, FilterJson, Inherit, ProfileName, ScopeJson
from app.commands.output import columns, safe, say
from app.commands.values import parse_filters, parse_scope
from app.native.schemas.facets import FacetFieldSchema, FacetPlaceSchema, FacetsResponse
from pipelines.types.markup import count

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def facets(
    profile: ProfileName,
    *,
    filter_json: FilterJson = None,
    scope_json: ScopeJson = None,
    inherit: Inherit = True,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say which values the documents have, and how many documents have them."""
    filters, scope = parse_filters(filter_json), parse_scope(scope_json)
    with opened(profile, data) as tenant:
        say(tenant.facets(filters=filters, scope=scope, inherit=inherit), as_json, _print)


def _print(found: FacetsResponse) -> None:
    print(count(found.documents, "document"))
    if found.hierarchy is not None:
        print()
        print(columns([("PLACE", "OWN", "IN ALL"), *_places(found.hierarchy, "")]))
    for name, field in found.fields.items():
        if field.values:
            print()
            print(columns([(name.upper(), ""), *_values(field)]))


def _places(place: FacetPlaceSchema, indent: str) -> Iterator[tuple[str, ...]]:
    name = "(top)" if place.field is None else f"{place.field} {place.value}"
    yield f"{indent}{safe(name)}", str(place.own), str(place.documents)
    for below in place.below:
        yield from _places(below, indent + "  ")
    if place.more:
        yield f"{indent}  and {place.more} more", "", ""


def _values(field: FacetFieldSchema) -> Iterator[tuple[str, ...]]:
    for value in field.values:
        yield value.value, str(value.documents)
    if field.more:
        yield f"and {field.more} more", ""

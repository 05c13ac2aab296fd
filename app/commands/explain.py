"""``footnote explain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.options import AsJson, AsOf, Data, FilterJson, Inherit, ProfileName, ScopeJson, SearchMode, TopK
from app.commands.output import columns, safe, say, wrapped
from app.commands.values import parse_query
from app.native.schemas.explain import ExplainResponse

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def explain(
    profile: ProfileName,
    query: Annotated[str, typer.Argument(metavar="QUERY", show_default=False, help="The query to explain.")],
    *,
    document: Annotated[
        str | None, typer.Option("--document", metavar="ID", help="The document; its best chunk is explained.")
    ] = None,
    chunk: Annotated[str | None, typer.Option("--chunk", metavar="ID", help="Or this chunk.")] = None,
    top_k: TopK = None,
    filter_json: FilterJson = None,
    scope_json: ScopeJson = None,
    inherit: Inherit = True,
    mode: SearchMode = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say why a search shows a document, or why it does not."""
    if document is None and chunk is None:
        raise typer.BadParameter("give --document or --chunk")
    asked = parse_query(query, filter_json, scope_json, top_k=top_k, inherit=inherit, mode=mode, as_of=as_of)
    with opened(profile, data) as tenant:
        explanation = tenant.explain(asked, document_id=document, chunk_id=chunk)
    say(explanation, as_json, _print)


def _print(found: ExplainResponse) -> None:
    verdict = "found" if found.found else f"not found, dropped by {found.dropped_by}"
    print(safe(f"{found.document_id}, version {found.version}: {verdict}"))
    if found.chunk_id is not None:
        print(f"chunk {found.chunk_id}")
    if found.stages:
        print()
        print(columns([("STEP", "RANK", "SCORE", "KEPT", ""), *_stages(found)]))
    if found.filter:
        print()
        print(columns([("CLAUSE", "DOCUMENTS", "LEFT", "FITS"), *_clauses(found)]))
    if found.hint is not None:
        print()
        print(wrapped(f"To let it in: {found.hint}."))


def _stages(found: ExplainResponse) -> Iterator[tuple[str, ...]]:
    for stage in found.stages:
        score = "" if stage.score is None else f"{stage.score:.4f}"
        yield stage.name, _number(stage.rank), score, _yes(stage.kept), stage.note or ""


def _clauses(found: ExplainResponse) -> Iterator[tuple[str, ...]]:
    for row in found.filter:
        yield row.clause, str(row.matches), _number(row.left), _yes(row.fits)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _yes(value: bool) -> str:
    return "yes" if value else "no"

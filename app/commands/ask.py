"""``footnote ask``."""

from __future__ import annotations

from typing import Annotated

import typer

from app.commands.access import opened, say_if_empty
from app.commands.options import AsJson, AsOf, Data, FilterJson, Inherit, ProfileName, ScopeJson, TopK
from app.commands.output import place, print_json, wrapped
from app.commands.values import parse_filters, parse_scope
from app.native.schemas.search import QueryResponse

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def ask(
    profile: ProfileName,
    question: Annotated[str, typer.Argument(metavar="QUESTION", show_default=False, help="What to answer.")],
    *,
    filter_json: FilterJson = None,
    scope_json: ScopeJson = None,
    inherit: Inherit = True,
    top_k: TopK = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Answer a question, with footnotes."""
    filters, scope = parse_filters(filter_json), parse_scope(scope_json)
    with opened(profile, data) as tenant:
        answer = tenant.answer(question, top_k=top_k, filters=filters, scope=scope, inherit=inherit, as_of=as_of)
        if not answer.sources:
            say_if_empty(tenant, profile)
    if as_json:
        print_json(answer)
    else:
        _print(answer)


def _print(answer: QueryResponse) -> None:
    print(wrapped(answer.answer))
    for citation in answer.citations:
        print()
        print(f"[{citation.number}] {place(citation)}")
        print(wrapped(f'"{citation.quote}"', indent="    "))
    print()
    print(f"confidence {answer.confidence:.2f}, model {answer.model}{', degraded' if answer.degraded else ''}")

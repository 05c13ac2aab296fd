"""``footnote ask``."""

from __future__ import annotations

from typing import Annotated

import typer

import pipelines
from app.commands.options import AsJson, Data, FilterJson, ProfileName, TopK
from app.commands.output import place, print_json, wrapped
from app.commands.values import parse_filters
from app.native import mapping
from app.settings import data_folder
from pipelines.types import Answer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def ask(
    profile: ProfileName,
    question: Annotated[str, typer.Argument(metavar="QUESTION", show_default=False, help="What to answer.")],
    *,
    filter_json: FilterJson = None,
    top_k: TopK = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Answer a question, with footnotes."""
    filters = parse_filters(filter_json)
    with pipelines.open_engine(profile, data_folder(data)) as engine:
        answer = engine.answer(question, top_k=top_k, filters=filters)
    if as_json:
        print_json(mapping.query_response(answer))
    else:
        _print(answer)


def _print(answer: Answer) -> None:
    print(wrapped(answer.text))
    for citation in answer.citations:
        print()
        print(f"[{citation.number}] {place(citation)}")
        print(wrapped(f'"{citation.quote}"', indent="    "))
    print()
    print(f"confidence {answer.confidence:.2f}, model {answer.model}{', degraded' if answer.degraded else ''}")

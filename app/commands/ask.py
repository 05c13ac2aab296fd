"""``footnote ask``."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from typing import Annotated

import typer

from app.commands.access import opened_for_questions, warn_if_empty
from app.commands.options import AsJson, AsOf, Data, FilterJson, Inherit, ProfileName, ScopeJson, TopK
from app.commands.output import passage, place, print_json, safe, wrapped
from app.commands.values import parse_query
from app.native.schemas.search import AnswerPart, QueryResponse, TokenSchema
from pipelines.errors import FootnoteError

_NEAREST = 3
"""Passages that are shown where the documents do not answer."""
_NEAREST_CHARS = 200

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
    stream: Annotated[bool, typer.Option("--stream", help="Print the answer as it is written.")] = False,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="Language model, one of those that the profile allows."),
    ] = None,
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", metavar="ID", help="Conversation to continue; a new id starts one."),
    ] = None,
    tools: Annotated[
        bool, typer.Option("--tools/--no-tools", help="Call the profile's tools too, if it has any.")
    ] = True,
    provider: Annotated[str | None, typer.Option("--provider", metavar="NAME", help="Provider of the model.")] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Answer a question, with footnotes."""
    wish = {name: value for name, value in (("provider", provider), ("model", model)) if value is not None}
    asked = parse_query(
        question,
        filter_json,
        scope_json,
        name="question",
        top_k=top_k,
        inherit=inherit,
        as_of=as_of,
        llm=wish or None,
        conversation_id=conversation,
        tools=tools,
    )
    with opened_for_questions(profile, data) as tenant:
        answer = _streamed(tenant.stream_answer(asked), show=not as_json) if stream else tenant.answer(asked)
        if not answer.sources:
            warn_if_empty(tenant, profile)
    if as_json:
        print_json(answer)
    else:
        print_answer(answer, with_text=not stream)
        if conversation is not None:
            print(safe(f"conversation {answer.conversation_id}"))


def _streamed(parts: Generator[AnswerPart, None, None], *, show: bool) -> QueryResponse:
    """Return the whole answer at last; its text is printed as it comes, if it is to be shown."""
    with closing(parts):
        for part in parts:
            if isinstance(part, QueryResponse):
                if show:
                    print()
                return part
            if show and isinstance(part, TokenSchema):
                print(safe(part.text), end="", flush=True)
    raise FootnoteError("the stream ended before the answer did")


def print_answer(answer: QueryResponse, *, with_text: bool = True) -> None:
    """Print an answer with its footnotes."""
    if with_text:
        print(wrapped(answer.answer))
    for citation in answer.citations:
        print()
        print(f"[{citation.number}] {place(citation)}")
        print(wrapped(f'"{citation.quote}"', indent="    "))
    for source in answer.sources[:_NEAREST] if answer.abstained else ():
        print()
        print(f"nearest: {place(source)}")
        print(passage(source.content, source.headings, _NEAREST_CHARS, indent="    "))
    doubtful = [claim for claim in answer.claims if claim.verdict != "supported"]
    if doubtful:
        print()
    for claim in doubtful:
        print(wrapped(f"{'withheld, ' if claim.withheld else ''}{claim.verdict}: {claim.text}"))
    print()
    for tool in answer.tools:
        print(wrapped(f"{tool.name}: {tool.error or f'asked {json.dumps(tool.arguments, ensure_ascii=False)}'}"))
    if answer.rewritten_question is not None:
        print(wrapped(f"looked for: {answer.rewritten_question}"))
    cut_off = ", cut off" if answer.truncated else ""
    degraded, again = ", degraded" if answer.degraded else "", ", given before" if answer.cached else ""
    print(f"confidence {answer.confidence:.2f}, model {answer.model}{degraded}{cut_off}{again}")
    print(f"answer {answer.answer_id}{f', prompt {answer.variant}' if answer.variant else ''}")

"""``footnote feedback``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, excerpt, print_json, safe, say, when
from app.native.client import TenantClient
from app.native.schemas.feedback import (
    CitationMarkRequest,
    FeedbackRequest,
    FeedbackResponse,
    FeedbackSchema,
    UnlabelledResponse,
    UnlabelledSchema,
)
from pipelines.errors import NotFound
from pipelines.types import KEPT_NOWHERE

_PAGE = 1000
_EXCERPT = 50
_READ = ("list", "export", "next")
_NEXT = 20
_THUMBS = {True: "yes", False: "no", None: "-"}
Numbers = list[int] | None
SourceOf = Callable[[str], str | None]
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def feedback(
    profile: ProfileName,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="list, next (questions to judge), export (JSON Lines for golden questions), or an answer's id.",
        ),
    ] = "list",
    *,
    helpful: Annotated[
        bool | None,
        typer.Option("--helpful/--not-helpful", help="Whether the answer helped; with list: only such answers."),
    ] = None,
    comment: Annotated[str | None, typer.Option("--comment", metavar="TEXT", help="Your comment on it.")] = None,
    right: Annotated[
        Numbers, typer.Option("--right", metavar="N", help="A citation that is right; repeatable.")
    ] = None,
    wrong: Annotated[
        Numbers, typer.Option("--wrong", metavar="N", help="A citation that is wrong; repeatable.")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the feedback on the answer.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Say whether an answer helped; list or export feedback."""
    marks = [(number, True) for number in right or ()] + [(number, False) for number in wrong or ()]
    has_remarks = comment is not None or bool(marks)
    if what in _READ and (has_remarks or withdraw):
        raise typer.BadParameter(f"name the answer; {what} only takes --helpful or --not-helpful", param_hint="WHAT")
    if withdraw and (has_remarks or helpful is not None):
        raise typer.BadParameter("takes back everything; give it alone", param_hint="--withdraw")
    with opened(profile, data) as tenant:
        if what == "export":
            _export(tenant, _all(tenant, helpful))
        elif what == "list":
            say(FeedbackResponse(feedback=_all(tenant, helpful), next_cursor=None), as_json, _print_list)
        elif what == "next":
            say(tenant.unlabelled(_NEXT), as_json, _print_next)
        elif withdraw:
            say(tenant.withdraw_feedback(what), as_json, lambda gone: print(safe(f"taken back: {gone.answer_id}")))
        else:
            given = FeedbackRequest(answer_id=what, helpful=helpful, comment=comment, citations=_marks(marks))
            say(tenant.give_feedback(given), as_json, _print)


def _marks(marks: Sequence[tuple[int, bool]]) -> list[CitationMarkRequest]:
    return [CitationMarkRequest(number=number, correct=correct) for number, correct in marks]


def _all(tenant: TenantClient, helpful: bool | None) -> list[FeedbackSchema]:
    page = tenant.feedback(_PAGE, None, helpful)
    found = page.feedback
    while page.next_cursor is not None:
        page = tenant.feedback(_PAGE, page.next_cursor, helpful)
        found += page.feedback
    return found


def _export(tenant: TenantClient, found: Sequence[FeedbackSchema]) -> None:
    """One line for each answer: a golden question with the sources of the documents that users marked as right."""
    source_of = cache(partial(_source, tenant))
    by_answer: dict[str, list[FeedbackSchema]] = {}
    for one in found:
        by_answer.setdefault(one.answer_id, []).append(one)
    for opinions in by_answer.values():
        print_json(_golden(opinions, source_of), indent=None)


def _source(tenant: TenantClient, document_id: str) -> str | None:
    """Return the source of a document, by which golden questions name it; None if it was deleted."""
    try:
        return tenant.document(document_id).source
    except NotFound:
        return None


def _golden(opinions: Sequence[FeedbackSchema], source_of: SourceOf) -> dict[str, Any]:
    answer = opinions[0]
    asked = {"filters": answer.filters, "scope": answer.scope}
    return {
        "id": answer.answer_id,
        "question": answer.question,
        **_expected(opinions, source_of),
        **{name: value for name, value in asked.items() if value},
        "follow_up": answer.follow_up,
        "feedback": [one.model_dump(mode="json", exclude={"answer_id", "question", *asked}) for one in opinions],
    }


def _expected(opinions: Sequence[FeedbackSchema], source_of: SourceOf) -> Mapping[str, Any]:
    """Return what the users hold to be right: the documents that were cited well, or that there are none."""
    helped = any(one.helpful for one in opinions) and not any(one.helpful is False for one in opinions)
    if opinions[0].abstained:
        return {"unanswerable": True} if helped else {}
    sources = dict.fromkeys(filter(None, map(source_of, _well_cited(opinions, helped))))
    return {"documents": list(sources)} if sources else {}


def _well_cited(opinions: Sequence[FeedbackSchema], helped: bool) -> Iterator[str]:
    for number, citation in enumerate(opinions[0].citations):
        marks = {one.citations[number].correct for one in opinions}
        right = False not in marks and (helped or True in marks)
        if right and citation.version != KEPT_NOWHERE:
            yield citation.document_id


def _print_list(found: FeedbackResponse) -> None:
    if found.feedback:
        heads = ("ANSWER", "WHEN", "BY", "HELPFUL", "WRONG", "QUESTION", "COMMENT")
        print(columns([heads, *map(_row, found.feedback)]))
    else:
        print("There is no feedback.")


def _print_next(found: UnlabelledResponse) -> None:
    if found.questions:
        heads = ("ANSWER", "ASKED", "CONFIDENCE", "ABSTAINED", "QUESTION")
        print(columns([heads, *map(_next_row, found.questions)]))
    else:
        print("There are no questions to judge.")


def _next_row(one: UnlabelledSchema) -> tuple[str, ...]:
    abstained = "yes" if one.abstained else "no"
    return one.answer_id, str(one.count), f"{one.confidence:.2f}", abstained, excerpt(one.question, _EXCERPT)


def _row(one: FeedbackSchema) -> tuple[str, ...]:
    wrong = ", ".join(str(citation.number) for citation in one.citations if citation.correct is False)
    words = "(erased)" if one.erased else excerpt(one.comment or "", _EXCERPT)
    question, thumb = excerpt(one.question, _EXCERPT), _THUMBS[one.helpful]
    return one.answer_id, when(one.updated_at), one.user or "-", thumb, wrong or "-", question, words


def _print(one: FeedbackSchema) -> None:
    marked = [citation for citation in one.citations if citation.correct is not None]
    marks = [f"citation {citation.number} {'right' if citation.correct else 'wrong'}" for citation in marked]
    parts = [f"helpful: {_THUMBS[one.helpful]}", *marks]
    print(safe(f"{one.answer_id}: {', '.join(parts)}"))

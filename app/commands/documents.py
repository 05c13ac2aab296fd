"""``footnote documents``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import pipelines
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, print_json, safe
from app.native import mapping
from app.settings import data_folder
from pipelines.types import Document, DocumentPage

if TYPE_CHECKING:
    from pipelines import Engine  # LlamaIndex with it, which asking for help does without

_PAGE = 1000
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def documents(
    profile: ProfileName,
    action: Annotated[Literal["list", "show", "delete"], typer.Argument(help="What to do.")] = "list",
    document_id: Annotated[
        str | None, typer.Argument(metavar="ID", show_default=False, help="The document to show or to delete.")
    ] = None,
    *,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """List, show or delete a tenant's documents."""
    if (document_id is None) != (action == "list"):
        raise typer.BadParameter("list takes none, show and delete take one", param_hint="ID")
    with pipelines.open_engine(profile, data_folder(data)) as engine:
        if document_id is None:
            _list(engine, as_json)
        elif action == "show":
            _show(engine, document_id, as_json)
        else:
            _delete(engine, document_id, as_json)


def _list(engine: Engine, as_json: bool) -> None:
    found = tuple(_all(engine))
    if as_json:
        print_json(mapping.documents(DocumentPage(found, None, len(found))))
    elif found:
        heads = ("ID", "STATE", "VERSION", "CHUNKS", "TITLE")
        print(columns([heads, *(_row(document) for document in found)]))
    else:
        print("There are no documents.")


def _all(engine: Engine) -> Iterator[Document]:
    page = engine.documents(limit=_PAGE)
    yield from page.documents
    while page.next_cursor is not None:
        page = engine.documents(limit=_PAGE, cursor=page.next_cursor)
        yield from page.documents


def _row(document: Document) -> tuple[str, ...]:
    title = document.title if document.state == "ready" else document.reason or ""
    return document.document_id, document.state, str(document.version), str(document.chunks), title


def _show(engine: Engine, document_id: str, as_json: bool) -> None:
    found = mapping.document(engine.document(document_id))
    if as_json:
        print_json(found)
        return
    shown = {name: value for name, value in found.model_dump(mode="json").items() if value is not None}
    shown["metadata"] = json.dumps(shown["metadata"], ensure_ascii=False)
    width = max(map(len, shown))
    for name, value in shown.items():
        print(safe(f"{name:<{width}}  {value}"))


def _delete(engine: Engine, document_id: str, as_json: bool) -> None:
    receipt = engine.delete(document_id)
    if as_json:
        print_json(mapping.deletion(receipt))
        return
    gone = f"{receipt.versions_removed} version(s), {receipt.chunks_removed} chunk(s)"
    print(safe(f"deleted {receipt.document_id}: {gone}"))

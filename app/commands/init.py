"""``footnote init``: from a folder of documents to a tenant that answers."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.commands.access import opened
from app.commands.ask import print_answer
from app.commands.options import Data
from app.commands.output import safe
from app.commands.progress import progress_bar
from app.commands.targets import require_folder
from app.native.client import TenantClient
from pipelines.errors import InvalidRequest, Problem
from pipelines.ingestion.survey import ProposedField, Survey, survey
from pipelines.profile.folders import CONFIGS, tenant_name
from pipelines.profile.loader import load_profile
from pipelines.types import Query
from pipelines.types.markup import count

_FEW = 5
_YAML_WORDS = ("null", "true", "false")
_FIRST_FAILURES = 3
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", exists=True, file_okay=False, help="Folder of your documents.")
    ],
    *,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the tenant; default: made from the folder's name.")
    ] = None,
    data: Data = None,
) -> None:
    """Make a tenant of a folder of documents.

    Writes configs/NAME/profile.yaml, with the fields that the documents' front matter has, and golden.jsonl, questions
    to fill in and measure with; then reads the documents and asks a first question.
    """
    tenant = name or tenant_name(folder)
    place = CONFIGS / tenant
    load_profile({"tenant": tenant})  # before anything is written: it becomes a folder's name
    _require_free(folder, place)
    found = survey(folder)
    if not found.files:
        raise InvalidRequest(Problem(str(folder), "holds no documents; hidden files and node_modules do not count"))
    _write(place, tenant, folder, found)
    print(safe("\n".join(_summary(found, place))))
    with opened(load_profile(place / "profile.yaml"), data) as client:
        _bring_in(client)
        _ask_first(client, found)
    print(safe("\n".join(_next_steps(tenant))))


def _require_free(folder: Path, place: Path) -> None:
    if (folder / "profile.yaml").exists():
        raise InvalidRequest(Problem(str(folder), "has a profile.yaml already: it is a tenant's folder"))
    if not str(folder.resolve()).isprintable():
        raise InvalidRequest(Problem(ascii(str(folder)), "has a name that no profile can hold; rename the folder"))
    if place.exists():
        raise InvalidRequest(Problem(str(place), "is there already; choose another --name, or remove it"))
    require_folder("configs", place)


def _write(place: Path, tenant: str, folder: Path, found: Survey) -> None:
    place.mkdir(parents=True)
    try:
        (place / "profile.yaml").write_text("\n".join(profile_lines(place, tenant, folder, found)), encoding="utf-8")
        load_profile(place / "profile.yaml")
    except BaseException:
        (place / "profile.yaml").unlink(missing_ok=True)
        place.rmdir()
        raise
    (place / "golden.jsonl").write_text("".join(f"{line}\n" for line in _golden(found)), encoding="utf-8")


def profile_lines(place: Path, tenant: str, folder: Path, found: Survey) -> Iterator[str]:
    """Yield the lines of the profile that fits a folder."""
    yield f"# Documents of {folder.resolve()}".encode(errors="replace").decode()
    yield "# Every key is in configs/README.md of Footnote; `footnote check` names mistakes."
    yield f"tenant: {_quoted(tenant) if tenant in _YAML_WORDS else tenant}"
    yield f"title: {_quoted(folder.resolve().name or tenant)}"
    yield ""
    yield "knowledge:"
    yield f"  path: {_quoted(_path_from(place, folder))}"
    yield "  sync: startup                         # `footnote serve` reads what changed when it starts"
    yield "  # include: ['*.md']                   # only these files; written as in .gitignore"
    own = [f"**/configs/{tenant}/"] if place.resolve().is_relative_to(folder.resolve()) else []
    excluded = [*own, *(f"*{suffix}" for suffix in found.unread)]
    yield f"  exclude: [{', '.join(map(_quoted, excluded))}]{_why_excluded(own, found)}"
    yield ""
    yield "metadata:"
    yield f"  fields:{'' if found.fields else ' {}'}"
    if found.fields:
        yield "    # From the front matter of the documents; filters name these fields."
    for name, field in found.fields.items():
        yield f"    {name}: {{type: {field.type}}}{_options(field)}"
    yield ""
    yield "# llm:                                  # without it, answers are quotes"
    yield "#   provider: ollama"
    yield "#   model: qwen3:8b"
    yield ""


def _why_excluded(own: Sequence[str], found: Survey) -> str:
    reasons = [*(["this profile"] if own else []), *(["no reader knows these files"] if found.unread else [])]
    return f"  # {'; '.join(reasons)}" if reasons else ""


def _options(field: ProposedField) -> str:
    examples = ", ".join(example for example in field.examples if example.isprintable())
    return f"  # {count(field.documents, 'document')}: {examples}" if examples else ""


def _path_from(place: Path, folder: Path) -> str:
    """Return the folder as seen from the profile, if both are below the working folder; else in full."""
    full = folder.resolve()
    return os.path.relpath(full, place.resolve()) if full.is_relative_to(Path.cwd().resolve()) else str(full)


def _quoted(text: str) -> str:
    """``text`` as JSON writes it, which YAML reads."""
    return json.dumps(text, ensure_ascii=False)


def _golden(found: Survey) -> Iterator[str]:
    for number, (path, heading) in enumerate(_questions(found), 1):
        line = {"id": f"q{number}", "question": heading, "answers": [], "documents": [path]}
        yield json.dumps({**line, "note": "ask it as people do; in answers, the words a right answer has"})


def _questions(found: Survey) -> list[tuple[str, str]]:
    step = max(len(found.headings) // _FEW, 1)
    return [(path, f"What is said about {heading}?") for path, heading in found.headings[::step][:_FEW]]


def _summary(found: Survey, place: Path) -> Iterator[str]:
    formats = ", ".join(f"{number} {label}" for label, number in found.formats.items())
    yield f"{count(found.files, 'file')}: {formats or 'none that can be read'}"
    if found.unread:
        left_out = ", ".join(f"{number} {suffix}" for suffix, number in found.unread.items())
        yield f"left out, as Footnote reads no such files: {left_out}"
    if found.folders:
        yield f"folders: {', '.join(found.folders[:10])}{', ...' if len(found.folders) > 10 else ''}"
    if found.changed is not None:
        yield f"changed between {found.changed[0]} and {found.changed[1]}"
    if found.fields:
        yield f"fields to filter by: {', '.join(found.fields)}"
    yield f"written: {place / 'profile.yaml'}, {place / 'golden.jsonl'}"


def _bring_in(client: TenantClient) -> None:
    with progress_bar() as report:
        synced = client.sync(report)
    failed = [document for document in synced.documents if document.state == "failed"]
    print(f"{count(synced.counts.ready, 'document')} read, {len(failed)} failed")
    for document in failed[:_FIRST_FAILURES]:
        print(safe(f"failed: {document.document_id}: {document.reason}"))


def _ask_first(client: TenantClient, found: Survey) -> None:
    """Print the first question that is answered; if none is, the last one tried."""
    question, answer = "", None
    for _, question in _questions(found):
        answer = client.answer(Query(question))
        if not answer.abstained:
            break
    if answer is not None:
        print(safe(f"\n> {question}\n"))
        print_answer(answer)


def _next_steps(tenant: str) -> Iterator[str]:
    name = shlex.quote(tenant)
    yield ""
    yield f'footnote ask {name} "..."     # ask'
    yield f"footnote sync {name}          # after the documents changed"
    yield f"footnote evaluate {name}      # once configs/{tenant}/golden.jsonl is filled in"
    yield f"footnote serve {name}         # HTTP, and the console at /console"

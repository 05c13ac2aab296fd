"""``footnote ingest``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import pipelines
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import print_json, safe
from app.commands.progress import progress_bar
from app.commands.values import parse_metadata
from app.native import mapping
from app.settings import data_folder
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import IngestResult, Progress

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def ingest(
    profile: ProfileName,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", exists=True, help="Files and folders.")],
    *,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", metavar="KEY=VALUE", help="Metadata of every document.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if a file of a folder failed, too.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Bring files and folders into a tenant.

    Files that cannot be read are listed. One that was named itself makes the exit code 1; one of a folder does so with
    --strict.
    """
    loaded = load_profile(profile)
    said = parse_metadata(metadata or (), loaded.profile.metadata.fields)
    loads = _ingest(loaded, paths, said, data)
    results = [result for _, brought in loads for result in brought]
    counts = Counter(result.state for result in results)
    if as_json:
        print_json({**mapping.ingested_documents(results).model_dump(), **_summary(counts)})
    else:
        _print(results, counts)
    if any(result.state == "failed" and (strict or path.is_file()) for path, brought in loads for result in brought):
        raise typer.Exit(1)


def _ingest(
    loaded: LoadedProfile, paths: Sequence[Path], metadata: Mapping[str, Any], data: Path | None
) -> list[tuple[Path, list[IngestResult]]]:
    """What became of what lies at each path."""
    loads = []
    with pipelines.open_engine(loaded, data_folder(data)) as engine, progress_bar() as report:
        for path in paths:

            def tell(progress: Progress, name: str = path.name) -> None:
                report(name, progress.documents_done, progress.documents_total)

            loads.append((path, engine.ingest_path(path, metadata, tell)))
    return loads


def _summary(counts: Counter[Any]) -> dict[str, int]:
    return {state: counts[state] for state in ("ready", "unchanged", "failed")}


def _print(results: Sequence[IngestResult], counts: Counter[Any]) -> None:
    for result in results:
        if result.state == "failed":
            print(safe(f"failed: {result.source or result.document_id}: {result.reason}"))
    if not results:
        print("There are no documents at these paths.")
    print(", ".join(f"{count} {state}" for state, count in _summary(counts).items()))

"""``footnote models``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

import typer

import pipelines.models
from app.commands.options import AsJson, Data
from app.commands.output import columns, print_json, safe
from app.commands.targets import require_folder, writing
from pipelines.errors import InvalidRequest, Problem
from pipelines.models import ModelEntry

app = typer.Typer(add_completion=False, rich_markup_mode=None)
Precision = Literal["none", "int8"]
_FOLDER = "FOOTNOTE_MODELS"
_UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}


@app.callback()
def models() -> None:
    """List, add or remove embedding models and cross-encoders."""


@app.command()
def export(
    quantize: Annotated[Precision | None, typer.Option(help="Only this precision; default: both.")] = None,
    data: Data = None,
) -> None:
    """Export the bundled model to ONNX, once; into the user's cache folder, or FOOTNOTE_MODELS."""
    folder = pipelines.models.models_folder()
    require_folder(_FOLDER, folder)
    for precision in (quantize,) if quantize else ("none", "int8"):
        with writing(_FOLDER, folder):
            model = pipelines.models.add_model("bundled", precision)
        print(model.folder)


@app.command("list")
def list_models(*, as_json: AsJson = False, data: Data = None) -> None:
    """List the models that profiles can name, and what it takes to have them."""
    found = pipelines.models.list_models()
    if as_json:
        print_json({"folder": str(pipelines.models.models_folder()), "models": [asdict(model) for model in found]})
        return
    print(columns([("NAME", "KIND", "LICENCE", "SIZE", "STATE"), *map(_row, found)]))
    for model in found:
        print()
        print(_about(model))


@app.command()
def add(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Names from `list`, names on the hub, or your own.")
    ],
    *,
    place: Annotated[
        str | None, typer.Option("--from", metavar="DIR", help="Folder of the weights, or a name on the hub.")
    ] = None,
    quantize: Annotated[Precision, typer.Option(help="Precision.")] = "int8",
    query_prefix: Annotated[
        str | None, typer.Option(metavar="TEXT", help="For your own model: prefix of questions, not of texts.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(metavar="NAME", help="For your own model: licence of its weights.")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Check a model's weights and convert them, once; into the user's cache folder, or FOOTNOTE_MODELS."""
    if place and len(names) > 1:
        raise InvalidRequest(Problem("from", "takes one name"))
    folder = pipelines.models.models_folder()
    require_folder(_FOLDER, folder)
    added = []
    for name in names:
        with writing(_FOLDER, folder):
            model = pipelines.models.add_model(name, quantize, place=place, query_prefix=query_prefix, licence=licence)
        added.append({"name": name, "kind": model.kind, "folder": str(model.folder), "bytes": model.bytes})
        if not as_json:
            print(f"{safe(name)}: {_size(model.bytes)} in {model.folder}")
    if as_json:
        print_json({"added": added})


@app.command()
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names from `list`.")],
    *,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Remove what `add` or `export` made of models; the packages of their weights stay."""
    freed = {name: pipelines.models.remove_model(name) for name in names}
    if as_json:
        print_json({"freed": freed})
        return
    for name, size in freed.items():
        print(f"{safe(name)}: removed, {_size(size)} freed")


def _row(model: ModelEntry) -> tuple[str, ...]:
    precisions = f" ({', '.join(model.quantize)})" if model.quantize else ""
    return safe(model.name), model.kind, model.licence or "not stated", _size(model.size), f"{model.state}{precisions}"


def _about(model: ModelEntry) -> str:
    """Return lines that are not wrapped: a command must be possible to copy."""
    place = "\n".join(f"  in {folder}" for folder in model.folders) or f"  run: {model.hint}"
    return safe(f"{model.name}: {model.title}, weights from {model.origin}\n{place}")


def _size(size: int) -> str:
    unit = next((unit for unit in reversed(_UNITS) if size >= _UNITS[unit]), "kB")
    return f"{size / _UNITS[unit]:.0f} {unit}"

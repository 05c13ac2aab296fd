"""``footnote models``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import pipelines.engine
from app.commands.options import Data

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def models() -> None:
    """Prepare embedding models."""


@app.command()
def export(
    quantize: Annotated[
        Literal["none", "int8"] | None, typer.Option(help="Only this precision; both without it.")
    ] = None,
    data: Data = None,
) -> None:
    """Export the bundled model to ONNX, once; into the user's cache folder, or FOOTNOTE_MODELS."""
    for precision in (quantize,) if quantize else ("none", "int8"):
        print(pipelines.engine.export_models(precision))

"""``footnote experiments``."""

from __future__ import annotations

import typer

from app.commands.access import opened
from app.commands.options import AsJson, Data, ProfileName
from app.commands.output import columns, say, wrapped
from app.native.schemas.feedback import ExperimentsResponse, ShareSchema, VariantSchema
from pipelines.types.markup import count

_HEADS = (
    "VARIANT", "WEIGHT", "ANSWERS", "ABSTAINED", "DEGRADED", "CONFIDENCE", "CLAIMS", "SUPPORTED", "UNSUPPORTED",
    "HELPFUL", "MEDIAN",
)  # fmt: skip
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def experiments(profile: ProfileName, *, as_json: AsJson = False, data: Data = None) -> None:
    """Say how the profile's prompt variants do, and whether it could be chance."""
    with opened(profile, data) as tenant:
        say(tenant.experiments(), as_json, _print)


def _print(found: ExperimentsResponse) -> None:
    if found.variants:
        print(columns([_HEADS, *map(_row, found.variants)]))
        print()
    for line in found.verdict:
        print(wrapped(line))
    if found.left_out:
        print(f"Left out: {count(found.left_out, 'answer')} of prompts that the profile no longer has.")


def _row(one: VariantSchema) -> tuple[str, ...]:
    return (
        one.name,
        f"{one.weight:g}",
        str(one.answers),
        str(one.abstained),
        str(one.degraded),
        "-" if one.confidence is None else f"{one.confidence:.2f}",
        str(one.claims),
        _percent(one.supported),
        _percent(one.unsupported),
        _interval(one.helpful),
        "-" if one.median_ms is None else f"{one.median_ms:.0f} ms",
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _interval(helpful: ShareSchema) -> str:
    if helpful.share is None:
        return "-"
    bounds = f"{100 * helpful.low:.0f}-{100 * helpful.high:.0f}"
    return f"{helpful.count}/{helpful.of}, {_percent(helpful.share)} ({bounds})"

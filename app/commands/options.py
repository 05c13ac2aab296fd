"""The arguments and options that commands share, each defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.types import Mode

ProfileName = Annotated[
    str,
    typer.Argument(
        metavar="PROFILE", show_default=False, help="Tenant folder, YAML file, or name of a folder in configs/."
    ),
]
ProfileNames = Annotated[
    list[str],
    typer.Argument(
        metavar="PROFILE", show_default=False, help="Tenant folders, YAML files, or names of folders in configs/."
    ),
]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", file_okay=False, help="Data folder; default: FOOTNOTE_DATA, then .footnote."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, and nothing else.")]
FilterJson = Annotated[
    str | None, typer.Option("--filter", metavar="JSON", help='Metadata to look among, such as {"species": "dog"}.')
]
ScopeJson = Annotated[
    str | None,
    typer.Option("--scope", metavar="JSON", help='Place in the hierarchy to look from, such as {"suite": "fedsuite"}.'),
]
Inherit = Annotated[
    bool, typer.Option("--inherit/--no-inherit", help="With --scope: include inherited documents, or only its own.")
]
TopK = Annotated[int | None, typer.Option("--top-k", metavar="N", help="Most results; default: the profile's.")]
SearchMode = Annotated[Mode | None, typer.Option("--mode", help="Legs to search; default: the profile's.")]
AsOf = Annotated[
    int | None,
    typer.Option("--as-of", metavar="N", min=0, help="Snapshot to read, as answers name it; default: now."),
]
Dataset = Annotated[
    Path | None,
    typer.Argument(
        metavar="DATASET",
        exists=True,
        show_default=False,
        help="Folder of a dataset or of a tenant, or a file of golden questions; "
        "else the profile's own golden questions.",
    ),
]
FewQuestions = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Ask only the first N.")]
History = Annotated[
    bool, typer.Option("--history", help="Complete follow-ups from the dataset's earlier turns before asking them.")
]
ReportFolder = Annotated[
    Path | None,
    typer.Option("--report", metavar="DIR", file_okay=False, help="Also write the figures and report.html there."),
]

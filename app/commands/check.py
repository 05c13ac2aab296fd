"""``footnote check``: reads profiles, and opens nothing."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from app.commands.options import Data, ProfileNames
from pipelines.errors import Problem, ProfileError
from pipelines.profile.calibration import calibration_problems
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.profile.prompts import prompt_problems
from pipelines.profile.sections.ocr import ocr_problems
from pipelines.profile.synonyms import synonym_problems

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def check(profiles: ProfileNames, data: Data = None) -> None:
    """Say whether profiles can be used."""
    broken = [error for name in profiles if (error := _check(name)) is not None]
    for error in broken:
        typer.echo(f"footnote: {error.message}", err=True)
    if broken:
        raise typer.Exit(2)


def _check(name: str) -> ProfileError | None:
    """Print what there is to say of a profile that can be used, or return why it cannot."""
    try:
        loaded = load_profile(name)
        wrong = tuple(_wrong_files(loaded))
        if wrong:
            raise ProfileError(name, wrong)
    except ProfileError as error:
        return error
    print(f"{name}: ok, tenant {loaded.profile.tenant}")
    return None


def _wrong_files(loaded: LoadedProfile) -> Iterator[Problem]:
    knowledge = loaded.knowledge_folder
    if knowledge is not None and not knowledge.is_dir():
        yield Problem("knowledge -> path", f"there is no folder {loaded.profile.knowledge.path} beside the profile")
    yield from ocr_problems(loaded.profile.ocr)
    yield from prompt_problems(loaded)
    yield from calibration_problems(loaded)
    expansion = loaded.profile.retrieval.expansion
    yield from synonym_problems(expansion.synonyms)
    yield from synonym_problems(expansion.names, "names")

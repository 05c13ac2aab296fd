"""What a profile needs beside itself: the files that it names, and programs of this machine."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.errors import Problem, ProfileError
from pipelines.profile.adapter import adapter_problems
from pipelines.profile.calibration import calibration_problems
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.prompts import prompt_problems
from pipelines.profile.sections.ocr import ocr_problems
from pipelines.profile.synonyms import synonym_problems


def file_problems(loaded: LoadedProfile) -> Iterator[Problem]:
    """Yield what is wrong with the files that a profile names; nothing is opened, and no server asked."""
    yield from ocr_problems(loaded.profile.ocr)
    yield from prompt_problems(loaded)
    yield from calibration_problems(loaded)
    yield from adapter_problems(loaded.profile.embedding.adapter)
    expansion = loaded.profile.retrieval.expansion
    yield from synonym_problems(expansion.synonyms)
    yield from synonym_problems(expansion.names, "names")


def require_files(name: str, loaded: LoadedProfile) -> None:
    """Check the files that a profile names.

    Args:
        name: The profile, as the caller calls it.
        loaded: The profile.

    Raises:
        ProfileError: One is missing, or cannot be used.
    """
    if problems := tuple(file_problems(loaded)):
        raise ProfileError(name, problems)

"""Profiles of plain folders: documents without a profile."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from pathlib import Path

import yaml

from pipelines.errors import ProfileError
from pipelines.profile.loader import LoadedProfile, load_profile

CONFIGS = Path("configs")
"""Where `footnote init` puts profiles, in the working folder."""
_NAME_CHARS = 40
_DIGITS = 8


def folder_profile(name: str) -> tuple[LoadedProfile, bool]:
    """Return the profile that ``name`` means, and whether it is one in memory, for a folder without any.

    A folder that a profile in ``configs/`` of the working folder has for its documents means that profile.

    Raises:
        ProfileError: The profile cannot be used, or there is neither a profile nor a folder of that name.
    """
    try:
        return load_profile(name), False
    except ProfileError:
        folder = Path(name)
        if not folder.is_dir() or (folder / "profile.yaml").exists() or _in_configs(name):
            raise
    known = _profile_over(folder)
    return (load_profile(known), False) if known is not None else (_in_memory(folder), True)


def tenant_name(folder: Path) -> str:
    """Return a name for the tenant of a folder, made of the folder's own."""
    parted = unicodedata.normalize("NFKD", folder.resolve().name.casefold())  # an accent stands behind its letter then
    without_accents = "".join(character for character in parted if not unicodedata.combining(character))
    plain = re.sub(r"[^a-z0-9_-]+", "-", without_accents).strip("-_")
    return (plain if re.match(r"[a-z]", plain) else f"docs-{plain}".rstrip("-"))[:_NAME_CHARS].rstrip("-")


def _in_memory(folder: Path) -> LoadedProfile:
    """Return the profile of a folder, whose tenant no folder of the same name elsewhere shares."""
    path = os.path.realpath(folder)
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:_DIGITS]
    return load_profile(
        {
            "tenant": f"{tenant_name(folder)}-{digest}",
            "title": folder.resolve().name or "documents",
            "knowledge": {"path": path},
        }
    )


def _in_configs(name: str) -> bool:
    return len(Path(name).parts) == 1 and (CONFIGS / name / "profile.yaml").exists()


def _profile_over(folder: Path) -> Path | None:
    """Return the profile whose knowledge is in ``folder``, of those that are in ``configs/``."""
    for file in sorted(CONFIGS.glob("*/profile.yaml")):
        try:
            written = yaml.safe_load(file.read_text(encoding="utf-8"))
            path = written["knowledge"]["path"]
            if (file.parent / os.path.expanduser(path)).resolve() == folder.resolve():
                return file
        except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError):
            continue  # it is not about this folder, or cannot be read
    return None

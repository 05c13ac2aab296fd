"""Copies of the clients' folders with their packages installed, and npm commands in them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def installed_client(folder: Path, client: str, document: str) -> Path:
    """The folder of a client, copied into ``folder`` beside its OpenAPI document; skips where npm cannot install."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    copy = folder / "clients" / client
    shutil.copytree(ROOT / "clients" / client, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (folder / document).parent.mkdir(parents=True)
    shutil.copy(ROOT / document, folder / document)
    installed = run(copy, "ci", "--no-audit", "--no-fund", "--prefer-offline")
    if installed.returncode:
        pytest.skip(f"npm cannot install the client's packages: {installed.stderr[-300:]}")
    return copy


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What an npm command left."""
    return subprocess.run(
        ["npm", *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

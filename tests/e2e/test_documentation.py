"""The documentation builds without a warning, asks no other server for anything, and its tutorial runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import COMMANDS
from tests.e2e.pages import environment

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)
LOADED = re.compile(r"""<(?:script|img|iframe)[^>]+src=["']?https?:|<link[^>]+rel=["']?stylesheet[^>]+https?:""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    variables = {**os.environ, "NO_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_no_page_loads_anything_from_another_origin(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page


def test_the_reference_names_every_command_route_and_method(site: Path) -> None:
    commands = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    assert all(f">footnote {name}<" in commands for name in COMMANDS)
    routes = (site / "reference" / "http.html").read_text(encoding="utf-8")
    assert "POST /tenants/{tenant}/query" in routes
    assert "POST /openai/v1/embeddings" in routes
    python = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert 'id="pipelines.open_engine"' in python
    assert 'id="pipelines.engine.access.AnswerAccess.stream_answer"' in python


def test_the_tutorial_runs_from_its_first_line_to_its_last(tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    install, *rest = blocks
    assert install.startswith("make demo\n")  # CI runs it
    done = subprocess.run(
        ["/bin/sh", "-e"],
        input="\n".join(rest),
        cwd=tmp_path,
        env=environment(tmp_path / "data"),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "carried\nover until the end of March. [1]" in done.stdout
    assert "The documents don't answer this question." in done.stdout
    assert "0 new, 1 changed, 1 unchanged" in done.stdout
    assert (tmp_path / "configs" / "handbook" / "profile.yaml").is_file()

"""docs/contracts/writing.md: a contract of an installed package is served as the page says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.e2e.pages import ROOT, blocks, environment, served, shell

PAGE = "contracts/writing.md"
EXAMPLE = ROOT / "docs" / "examples" / "footnote-faq"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A shell in whose Python the example is installed, in a folder of its own."""
    site, source = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("source")
    install, *_ = blocks(PAGE, "bash")
    assert install.split()[-1] == f"./{EXAMPLE.relative_to(ROOT)}"
    copy = shutil.copytree(EXAMPLE, source / EXAMPLE.name)
    arguments = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(site), str(copy)]
    subprocess.run([sys.executable, "-m", "pip", "install", *arguments], check=True)
    found = os.pathsep.join([str(ROOT), str(site)])
    return environment(tmp_path_factory.mktemp("data"), PYTHONPATH=found)


def test_the_entry_point_of_the_page_is_the_examples() -> None:
    (entry,) = blocks(PAGE, "toml")
    assert entry in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")


def test_the_contract_answers_as_the_page_says(reader: dict[str, str], tmp_path: Path) -> None:
    (profile,), (answer,) = blocks(PAGE, "yaml"), blocks(PAGE, "json")
    _, serve, asking = blocks(PAGE, "bash")
    (tmp_path / "helpdesk.yaml").write_text(profile, encoding="utf-8")
    with served(serve.strip().replace("helpdesk", "helpdesk.yaml"), tmp_path, reader) as client:
        printed = shell(asking.replace("localhost:8000", client.base_url.netloc.decode()), tmp_path, reader)
        saved, _, replied = printed.partition("}")
        assert json.loads(f"{saved}}}") == {"article": "warranty", "version": 1}
        assert json.loads(replied) == json.loads(answer)
        wrong = client.post("/ask", json={"question": "How long?"})
        assert (wrong.status_code, set(wrong.json())) == (400, {"error"})
        assert "/ask" in client.get("/openapi.json").json()["paths"]
        assert httpx.get(client.base_url.join("/tenants/helpdesk/documents"), trust_env=False).json()["total"] == 1


def test_an_unknown_contract_is_told_the_nearest_installed_one(reader: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "helpdesk.yaml").write_text("tenant: helpdesk\ncontract: faqs\n", encoding="utf-8")
    done = subprocess.run(
        ["footnote", "check", "helpdesk.yaml"], cwd=tmp_path, env=reader, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'did you mean "faq"' in done.stderr + done.stdout

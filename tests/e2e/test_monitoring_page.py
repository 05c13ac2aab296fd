"""The commands of docs/monitoring.md: a server with a token for Prometheus, and a scrape with it."""

import re
import shlex
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.app.commands.processes import address_of, said_until_ready, started

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "monitoring.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SERVE, SCRAPE = (body for kind, body in BLOCKS if not kind)
KEYED = 'tenant: cortx\njobs: {run: worker}\nauth: {keys: [{name: ops, secret: "${CORTX_OPS_KEY}", role: admin}]}'


def test_a_server_with_a_token_is_scraped_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variable, footnote, command, *tenants = shlex.split(SERVE)
    assert (footnote, command, tenants[0]) == ("footnote", "serve", "cortx")
    monkeypatch.setenv(*variable.split("=", 1))
    monkeypatch.setenv("CORTX_OPS_KEY", "a-secret-of-ops-0123456789")
    (tmp_path / "cortx.yaml").write_text(KEYED, encoding="utf-8")  # the shipped ones would bring their knowledge in
    with ExitStack() as opened:
        server = started(opened, tmp_path, command, "./cortx.yaml", "--port", "0")
        root = address_of(said_until_ready(server), "cortx").removesuffix("/tenants/cortx")
        scrape = SCRAPE.replace("localhost:8000", root.removeprefix("http://"))
        shown, refused = (
            subprocess.run(shlex.split(one), capture_output=True, text=True, check=True, timeout=60).stdout
            for one in (scrape, scrape.replace("Bearer ", "Bearer not-"))
        )
    assert 'footnote_tenant_info{contract="",tenant="cortx"} 1.0' in shown
    assert '"code": "unauthorized"' in refused
    assert _without_tenant(shown) == _said_to_have_no_tenant()


def _without_tenant(exposition: str) -> set[str]:
    """The metrics that the server itself counts and that have no label ``tenant``."""
    samples = [line for line in exposition.splitlines() if line.startswith("footnote_")]
    return {re.split("[{ ]", line)[0] for line in samples if 'tenant="' not in line}


def _said_to_have_no_tenant() -> set[str]:
    said = re.search(r"have the label `tenant`, except(.*?)\.\n", PAGE, re.DOTALL)
    return set(re.findall(r"`(footnote_\w+)`", said[1])) if said else set()

"""`footnote keys` and `footnote audit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.running import RunCli

PROFILE = """
tenant: pets
metadata:
  fields:
    level: {type: keyword, values: [platform, suite], required: true}
    suite: {type: keyword}
  hierarchy: {level: level, path: [suite]}
"""


@pytest.fixture(autouse=True)
def _profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    (tmp_path / "pets.yaml").write_text(PROFILE)


def test_a_secret_is_printed_once_on_its_own(run_cli: RunCli) -> None:
    assert run_cli("keys", "pets.yaml").out == "There are no keys.\n"
    made = run_cli("keys", "pets.yaml", "create", "ann", "--role", "writer", "--scope", '{"suite": "a"}', "--days", "9")
    [secret] = made.out.splitlines()
    assert secret.startswith("fn_")
    assert "not shown again" in made.err
    listed = run_cli("keys", "pets.yaml").out
    assert secret not in listed
    assert listed.splitlines()[1].split()[:5] == ["ann", "writer", '{"suite":', '"a"}', "active"]
    rotated = run_cli("keys", "pets.yaml", "rotate", "ann", "--json")
    assert json.loads(rotated.out)["secret"] != secret
    assert run_cli("keys", "pets.yaml", "revoke", "ann").out == "revoked ann\n"
    assert run_cli("keys", "pets.yaml", "revoke", "ann").code == 1


@pytest.mark.parametrize(
    "arguments",
    [("create",), ("list", "ann"), ("create", "ann", "--days", "0"), ("create", "ann", "--scope", '{"shop": "x"}')],
)
def test_an_invalid_key_is_refused(run_cli: RunCli, arguments: tuple[str, ...]) -> None:
    assert run_cli("keys", "pets.yaml", *arguments).code == 2
    assert run_cli("keys", "pets.yaml").out == "There are no keys.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rotate", "ann", "--role", "admin"), "--role: is for create, not for rotate"),
        (("rotate", "ann", "--days", "3"), "--days: is for create, not for rotate"),
        (("create", "bob", "--grace-hours", "3"), "--grace-hours: is for rotate, not for create"),
        (("list", "--scope", "{}"), "--scope: is for create, not for list"),
        (("create", ""), "NAME: is empty; `footnote keys PROFILE list` shows the names"),
        (("rotate", ""), "NAME: is empty; `footnote keys PROFILE list` shows the names"),
        (("revoke", ""), "NAME: is empty; `footnote keys PROFILE list` shows the names"),
    ],
)
def test_an_option_of_another_action_is_refused(run_cli: RunCli, arguments: tuple[str, ...], said: str) -> None:
    run_cli("keys", "pets.yaml", "create", "ann")
    done = run_cli("keys", "pets.yaml", *arguments)
    assert (done.code, done.out) == (2, "")
    assert f"Invalid value for {said}" in done.err
    assert run_cli("keys", "pets.yaml").out.count("reader") == 1


@pytest.mark.parametrize("name", [" ", "ann "])
def test_a_key_gets_no_blank_name(run_cli: RunCli, name: str) -> None:
    done = run_cli("keys", "pets.yaml", "create", name)
    assert (done.code, done.out) == (2, "")
    assert "name: must not be blank, nor begin or end with a space" in done.err


def test_the_audit_log_takes_no_endless_limit(run_cli: RunCli) -> None:
    assert run_cli("audit", "pets.yaml", "--limit", str(10**20)).code == 2


def test_the_audit_log_names_the_operator(run_cli: RunCli) -> None:
    assert run_cli("audit", "pets.yaml").out == "There are no entries.\n"
    for name in ("a", "b"):
        Path(f"{name}.md").write_text(f"---\nlevel: platform\n---\nText {name}.")
    run_cli("ingest", "pets.yaml", "a.md", "b.md")
    entries = json.loads(run_cli("audit", "pets.yaml", "--json").out)["entries"]
    assert {(one["action"], one["target"], one["result"]) for one in entries} == {
        ("ingest", "a.md", "ok"),
        ("ingest", "b.md", "ok"),
    }
    for name in ("ann", "bob", "cid"):
        run_cli("keys", "pets.yaml", "create", name)
    entries = json.loads(run_cli("audit", "pets.yaml", "--limit", "2", "--json").out)["entries"]
    assert [(one["action"], one["target"], one["key"]) for one in entries] == [
        ("create_key", "cid", ""),
        ("create_key", "bob", ""),
    ]
    assert "(operator)" in run_cli("audit", "pets.yaml", "--action", "create_key").out
    assert run_cli("audit", "pets.yaml", "--key", "nobody").out == "There are no entries.\n"

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.running import RunCli


def test_a_usable_profile_is_ok(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t")
    done = run_cli("check", str(tmp_path / "t.yaml"))
    assert (done.code, done.out, done.err) == (0, f"{tmp_path / 't.yaml'}: ok, tenant t\n", "")


def test_every_broken_profile_is_named_with_every_problem(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("tenant: a\nretrieval: {fusoin: rrf}\nlimits: {topk: 3}")
    (tmp_path / "b.yaml").write_text("tenant: b\nknowledge: {path: nowhere}\nanswer: {prompt: no.md}")
    (tmp_path / "c.yaml").write_text("tenant: c")
    done = run_cli("check", *(str(tmp_path / f"{name}.yaml") for name in "abc"), str(tmp_path / "d.yaml"))
    assert done.code == 2
    assert done.out == f"{tmp_path / 'c.yaml'}: ok, tenant c\n"
    for message in (
        'retrieval -> fusoin: unknown key, did you mean "fusion"?',
        'limits -> topk: unknown key, did you mean "top_k"?',
        "knowledge -> path: there is no folder nowhere beside the profile",
        "answer -> prompt: no.md does not exist (relative to the profile)",
        "no such tenant folder, YAML file",
    ):
        assert message in done.err


def test_a_missing_ocr_program_is_an_error(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.yaml").write_text("tenant: t\nocr: {engine: tesseract}")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run_cli("check", str(tmp_path / "t.yaml"))
    assert done.code == 2
    assert "ocr -> engine: tesseract is not installed; install it (Debian, Ubuntu: apt-get install" in done.err

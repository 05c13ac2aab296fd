"""The section that says how scans are read, and what is missing on this machine to do so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter, ValidationError

from pipelines.profile.sections.ocr import OcrSection, ocr_problems

SECTION: TypeAdapter[OcrSection] = TypeAdapter(OcrSection)


def section(**said: Any) -> OcrSection:
    return SECTION.validate_python(said)


def stand_in(folder: Path, script: str, patch: pytest.MonkeyPatch) -> None:
    program = folder / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    patch.setenv("PATH", str(folder))


def test_every_section_of_the_page_on_scans_can_be_used() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "scans.md").read_text(encoding="utf-8")
    sections = [yaml.safe_load(found) for found in re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    assert [section(**found["ocr"]).engine for found in sections] == ["tesseract", "ollama"]


@pytest.mark.parametrize("said", [None, section(engine="ollama", model="deepseek-ocr")])
def test_a_server_is_not_contacted(said: OcrSection | None) -> None:
    assert ocr_problems(said) == []


def test_a_missing_program_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (problem,) = ocr_problems(section(engine="tesseract"))
    assert problem.path == "ocr -> engine"
    assert "apt-get install tesseract-ocr" in problem.message


def test_a_missing_language_is_named_with_the_installed_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(tmp_path, "printf 'List of available languages (2):\\neng\\nosd\\n'", monkeypatch)
    assert ocr_problems(section(engine="tesseract")) == []
    first, second = ocr_problems(section(engine="tesseract", languages=["chi_sim", "eng", "enh"]))
    assert (first.path, first.suggestion) == ("ocr -> languages -> 0", None)
    assert 'does not know "chi_sim", it knows eng; install it' in first.message
    assert "tesseract-ocr-chi-sim" in first.message
    assert (second.path, second.suggestion) == ("ocr -> languages -> 2", "eng")


def test_a_program_that_does_not_run_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(tmp_path, "exit 127", monkeypatch)
    (problem,) = ocr_problems(section(engine="tesseract"))
    assert "cannot be run" in problem.message


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"languages": []}, "too_short"),
        ({"languages": ["eng+deu"]}, "such as eng, deu or chi_sim"),
        ({"languages": ["--psm"]}, "such as eng, deu or chi_sim"),
        ({"languages": ["osd"]}, "such as eng, deu or chi_sim"),
        ({"languages": ["eng", "eng"]}, "is listed twice"),
        ({"dpi": 6000}, "less than or equal to 600"),
        ({"engine": "ollama"}, "Field required"),
        ({"engine": "ollama", "model": "m", "max_tokens": 9000, "context_tokens": 16000}, "no room for the image"),
    ],
)
def test_nonsensical_settings_are_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        section(**{"engine": "tesseract", **said})

"""`footnote ask` on a tenant whose language model is a stand-in for Ollama."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.running import RunCli
from tests.fakes.ollama import FakeOllama, ollama_server

PROFILE = """
tenant: kennel
llm: {provider: ollama, model: MODEL, base_url: "URL", fallback: error}
"""
SAID = "Beagles need 60 minutes of exercise a day [1].\nThey can fly to the moon [1][9]."


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with ollama_server(lambda asked: None if "cut" in asked.model else SAID) as running:  # type: ignore[arg-type, return-value]
        yield running


@pytest.fixture
def profile(tmp_path: Path, fake: FakeOllama, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("FOOTNOTE_DATA", str(tmp_path / "data"))
    return PROFILE.replace("MODEL", "m").replace("URL", fake.url)


@pytest.fixture
def file(profile: str, tmp_path: Path, run_cli: RunCli) -> Path:
    document = tmp_path / "beagle.txt"
    document.write_text("Beagles need 60 minutes of exercise a day.\n")
    file = tmp_path / "kennel.yaml"
    file.write_text(profile)
    assert run_cli("ingest", str(file), str(document)).code == 0
    return file


def test_an_answer_shows_its_quotes_and_doubtful_claims(file: Path, run_cli: RunCli) -> None:
    done = run_cli("ask", str(file), "How much exercise does a beagle need?")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Beagles need 60 minutes of exercise a day [1].\n\n[1] ")
    assert '    "Beagles need 60 minutes of exercise a day."\n' in done.out
    assert "\nwithheld, unsupported: They can fly to the moon.\n" in done.out
    assert ", model m\nanswer " in done.out


def test_a_streamed_answer_is_printed_as_it_was_written(file: Path, run_cli: RunCli) -> None:
    done = run_cli("ask", str(file), "How much exercise does a beagle need?", "--stream")
    assert done.out.startswith("Beagles need 60 minutes of exercise a day [1].\n\n")


def test_an_unwithheld_claim_is_shown_as_doubtful(file: Path, profile: str, run_cli: RunCli) -> None:
    file.write_text(f"{profile}answer: {{unsupported: annotate}}\n")
    done = run_cli("ask", str(file), "How much exercise does a beagle need?", "--stream")
    assert done.out.startswith(SAID.removesuffix("[9].") + ".\n\n[1] ")
    assert "\nunsupported: They can fly to the moon.\n" in done.out


def test_a_stream_that_fails_says_why(file: Path, profile: str, run_cli: RunCli) -> None:
    file.write_text(profile.replace("model: m", "model: cut-after-3") + "answer: {unsupported: annotate}\n")
    done = run_cli("ask", str(file), "How much exercise does a beagle need?", "--stream")
    assert (done.code, done.out) == (1, "The documents say")
    assert "the language model (ollama, cut-after-3) is not available" in done.err


def test_a_blank_question_is_refused_before_the_tenant_is_opened(profile: str, tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "kennel.yaml").write_text(profile)
    done = run_cli("ask", str(tmp_path / "kennel.yaml"), " ")
    assert (done.code, done.err) == (2, "footnote: question: is empty\n")
    assert not (tmp_path / "data").exists()


def test_a_question_that_is_too_long_is_told_how_long_it_may_be(file: Path, run_cli: RunCli) -> None:
    done = run_cli("ask", str(file), "a" * 4001)
    assert (done.code, done.err) == (2, "footnote: question: has 4001 characters; it must have 1 to 4000\n")

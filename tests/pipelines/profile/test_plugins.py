"""The example packages are installed, and a profile names their components."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"
PROGRAM = '''
from pipelines import DocumentInput, open_engine
from pipelines.errors import ProfileError

profile = {
    "tenant": "dogs",
    "store": {"engine": "memory"},
    "chunking": {"splitter": "paragraphs", "least_chars": 20},
    "rerank": [{"type": "mmr"}, {"type": "short_first", "chars": 50}],
}
first, rest = "Collies herd sheep on the hills, and such dogs are never tired.", "Dogs called terriers dig.\\n\\nOh."
with open_engine(profile) as engine:
    assert engine.profile.chunking.least_chars == 20
    engine.ingest(DocumentInput(f"{first}\\n\\n{rest}", "dogs"))
    assert [chunk.content for chunk in engine.chunks("dogs")] == [first, rest]
    assert list(engine.search("dogs")[0].scores)[-2:] == ["mmr", "short_first"]

for wrong, said in [
    ({"chunking": {"splitter": "paragrafs"}}, 'did you mean "paragraphs"'),
    ({"chunking": {"splitter": "paragraphs", "least_char": 3}}, 'least_char: unknown key, did you mean "least_chars"'),
    ({"chunking": {"splitter": "paragraphs", "least_chars": 0}}, "chunking -> least_chars: must be at least 1"),
    ({"chunking": {"least_chars": 3}}, 'least_chars: unknown key with splitter "sentence"'),
    ({"rerank": [{"type": "short_first", "char": 3}]}, 'rerank -> 0 -> char: unknown key, did you mean "chars"'),
]:
    try:
        open_engine({**profile, **wrong})
    except ProfileError as error:
        assert said in str(error), str(error)
    else:
        raise AssertionError(wrong)
'''  # fmt: skip


MODELS = '''
from pipelines import DocumentInput, open_engine
from pipelines.errors import ProfileError

profile = {
    "tenant": "dogs",
    "store": {"engine": "memory"},
    "extractors": ["headings", "years"],
    "embedding": {"provider": "letters", "letters": "abc"},
    "llm": {"provider": "first_source", "max_tokens": 50},
    "answer": {"abstain_below": 0},
}
with open_engine(profile) as engine:
    assert engine.dimensions == 3
    engine.ingest(DocumentInput("Collies have herded sheep since 2011.", "dogs"))
    assert engine.search("sheep")[0].metadata["extracted"] == {"years": ["2011"]}
    answer = engine.answer("What have collies herded?")
    assert answer.text == "Collies have herded sheep since 2011 [1].", answer
    assert (answer.model, answer.claims[0].verdict) == ("first_source", "supported"), answer
    assert engine.profile.dump()["llm"]["ending"] == " [1]"

for wrong, said in [
    ({"embedding": {"provider": "leters"}}, 'did you mean "letters"'),
    ({"embedding": {"provider": "letters", "leters": "ab"}}, 'leters: unknown key, did you mean "letters"'),
    ({"embedding": {"provider": "letters", "letters": "a"}}, "embedding -> letters: "),
    ({"llm": {"provider": "first_source", "endig": ""}}, 'llm -> endig: unknown key, did you mean "ending"'),
    ({"llm": {"provider": "first_source", "max_tokens": 0}}, "llm -> max_tokens: must be at least 1"),
    ({"extractors": ["yeers"]}, 'did you mean "years"'),
]:
    try:
        open_engine({**profile, **wrong})
    except ProfileError as error:
        assert said in str(error), str(error)
    else:
        raise AssertionError(wrong)
'''  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    copies = tmp_path_factory.mktemp("source")
    sources = [shutil.copytree(EXAMPLES / name, copies / name) for name in ("footnote-paragraphs", "footnote-models")]
    arguments = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", *arguments, *map(str, sources)], check=True)
    return target


def run(program: str, site: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", [PROGRAM, MODELS])
def test_a_profile_names_components_of_an_installed_package(installed: Path, program: str) -> None:
    done = run(program, installed)
    assert done.returncode == 0, done.stderr


def test_a_package_that_cannot_be_loaded_is_named(installed: Path) -> None:
    broken = installed / "footnote_paragraphs.py"
    before = broken.read_text()
    broken.write_text("import nowhere_at_all\n")
    try:
        done = run("from pipelines.profile.loader import load_profile; load_profile({})", installed)
    finally:
        broken.write_text(before)
    assert "footnote.components -> paragraphs (footnote-paragraphs): could not be loaded" in done.stderr
    assert "nowhere_at_all" in done.stderr

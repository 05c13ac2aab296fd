"""Each test runs in a process of its own: packages are imported once in each."""

from __future__ import annotations

import subprocess
import sys

import pytest

_INSTALL = """
from pipelines.components import lazy_packages
lazy_packages.install()
"""


def python(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", _INSTALL + code], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_every_name_that_llama_index_offers_can_still_be_imported() -> None:
    code = """
from llama_index import core
from llama_index.core import node_parser, response_synthesizers
offered = [(package, name) for package in (core, node_parser, response_synthesizers) for name in package.__all__]
print(len(offered), [name for package, name in offered if getattr(package, name) is None or name not in dir(package)])
"""
    count, missing = python(code).split(maxsplit=1)
    assert int(count) > 60
    assert missing == "[]"


def test_a_submodule_that_nobody_imported_is_found_as_an_attribute() -> None:
    code = "import llama_index.core as core; print(core.evaluation.FaithfulnessEvaluator.__name__)"
    assert python(code) == "FaithfulnessEvaluator"


def test_an_unknown_name_is_an_import_error() -> None:
    code = """
try:
    from llama_index.core import VectorStoreIndexx
except ImportError as error:
    print(error)
"""
    assert python(code).startswith("cannot import name 'VectorStoreIndexx' from 'llama_index.core'")


def test_llama_index_answers_with_its_own_synthesizer() -> None:
    code = """
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import retriever_query_engine
from llama_index.core.response_synthesizers import ResponseMode
made = retriever_query_engine.get_response_synthesizer(llm=MockLLM(), response_mode=ResponseMode.COMPACT)
print(type(made).__name__)
"""
    assert python(code) == "CompactAndRefine"


def test_models_of_qdrant_are_whole_at_their_first_use() -> None:
    code = """
import inspect
from pydantic import BaseModel
from qdrant_client.http.models import models
match = models.FieldCondition(key="species", match=models.MatchValue(value="dog"))
print(models.Filter.model_validate_json(models.Filter(must=[match]).model_dump_json()) == models.Filter(must=[match]))
kinds = {one for _, one in inspect.getmembers(models, inspect.isclass) if issubclass(one, BaseModel)} - {BaseModel}
print([one.__name__ for one in kinds if one.model_rebuild() is False])
"""
    assert python(code).split("\n") == ["True", "[]"]


def test_requests_is_run_when_it_is_used() -> None:
    code = """
import inspect, sys
import requests
inspect.getmodule(inspect.currentframe())
print("requests.sessions" in sys.modules, requests.Session().headers["Connection"], "requests.sessions" in sys.modules)
print(requests.Session is __import__("requests").Session, hasattr(requests, "nothing"))
"""
    assert python(code).split("\n") == ["False keep-alive True", "True False"]


def test_httpx_does_without_its_terminal_program() -> None:
    assert python("import httpx, sys; print(httpx.Client().is_closed, 'pygments' in sys.modules)") == "False False"


def test_deferred_models_are_whole_at_their_first_use() -> None:
    code = """
lazy_packages.defer_models()
from app.native.schemas.search import QueryResponse, SearchResponse
print(SearchResponse.__pydantic_complete__, SearchResponse(hits=[], snapshot=1, took_ms=2).model_dump()["took_ms"])
print(SearchResponse.__pydantic_complete__, QueryResponse.__pydantic_complete__)
"""
    assert python(code).split("\n") == ["False 2.0", "True False"]


@pytest.mark.parametrize(
    "unused",
    [
        *("workflows", "banks", "tiktoken", "dbos", "llama_index.core.chat_engine", "requests.sessions", "rich"),
        *("httpcore", "lxml", "pathspec", "tenacity", "watchfiles", "llama_index.core.ingestion"),
    ],
)
def test_a_question_does_not_import_what_it_does_not_use(unused: str, asked_modules: frozenset[str]) -> None:
    assert unused not in asked_modules


@pytest.fixture(scope="module")
def asked_modules(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """What is imported by a question to a tenant whose language model is away."""
    llm = {"provider": "ollama", "model": "m", "base_url": "http://127.0.0.1:9"}
    code = f"""
import sys
from pipelines import open_engine
with open_engine({{"tenant": "pets", "llm": {llm}}}, {str(tmp_path_factory.mktemp("data"))!r}) as engine:
    engine.answer("How long do cats sleep?")
print(*sys.modules)
"""
    return frozenset(python(code).split())

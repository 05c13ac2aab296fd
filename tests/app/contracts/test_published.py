"""What holds for every published contract: its OpenAPI document is the committed one, and it keeps to itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from app.contracts import CONTRACTS
from pipelines.profile.loader import load_profile
from tests.app.contracts.published import CONFIGS, require_committed

SOURCES = Path(__file__).parents[3] / "app" / "contracts"
HERE = Path(__file__).parent
ROUTES = {
    "cortx": {"post /v1/ingest 201", "post /v1/query 200", "post /v1/search 200"},
    "openpharma": {"post /ask 200"},
    "pocketpal": {
        "post /api/rag/documents/ingest 200",
        "get /api/rag/documents 200",
        "delete /api/rag/documents/{documentId} 200",
        "post /api/rag/vectors/embed 200",
        "post /api/rag/vectors/search 200",
        "post /api/rag/context/retrieve 200",
        "post /api/rag/context/enhance-prompt 200",
        "get /api/rag/config 200",
        "put /api/rag/config 200",
        "get /api/rag/status 200",
        "get /api/rag/metrics 200",
        "post /api/rag/batch/ingest 200",
        "post /api/rag/index/optimize 200",
    },
    "smartbreeds": {
        "post /api/v1/rag/query 200",
        "post /api/v1/rag/ingest 200",
        "get /api/v1/rag/status 200",
        "post /api/v1/vision/analyze 200",
    },
    "textbook": {"post /ingest 200", "post /query 200", "get /health 200"},
}
"""The routes that the published documents name, and what they answer where all is well."""


def document_of(contract: str) -> dict[str, Any]:
    document = CONTRACTS[contract](load_profile(CONFIGS / contract).profile).openapi()
    validate(document)
    return document


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_published_route_exists(contract: str) -> None:
    served = {
        f"{method} {path} {next(iter(operation['responses']))}"
        for path, methods in document_of(contract)["paths"].items()
        for method, operation in methods.items()
    }
    assert ROUTES[contract] <= served


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_openapi_document_is_the_committed_one(contract: str) -> None:
    require_committed(document_of(contract), HERE / contract / "openapi.json")


@pytest.mark.parametrize(
    ("contract", "path", "status"),
    [
        ("cortx", "/v1/ingest", "507"),
        ("pocketpal", "/api/rag/documents/ingest", "507"),
        ("smartbreeds", "/api/v1/rag/ingest", "507"),
        ("textbook", "/ingest", "503"),
    ],
)
def test_an_ingestion_declares_that_the_disk_may_be_full(contract: str, path: str, status: str) -> None:
    assert status in document_of(contract)["paths"][path]["post"]["responses"]


def test_every_folder_is_a_contract_that_can_be_named() -> None:
    assert {folder.parent.name for folder in SOURCES.glob("*/__init__.py")} == set(CONTRACTS)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_has_the_same_four_rooms_as_the_others(contract: str) -> None:
    rooms = {path.stem for path in (SOURCES / contract).iterdir() if path.name != "__pycache__"}
    assert rooms == {"__init__", "mapping", "routes", "schemas"}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_knows_nothing_of_the_others(contract: str) -> None:
    for file in (SOURCES / contract).rglob("*.py"):
        assert set(re.findall(r"app\.contracts\.(\w+)", file.read_text(encoding="utf-8"))) <= {contract}, file


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_lists_where_it_leaves_its_document(contract: str) -> None:
    assert "Deviations from the published document" in (SOURCES / contract / "__init__.py").read_text(encoding="utf-8")

"""The bill of materials names what the service is made of, with the versions that are installed."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from tests.sbom import bill


def test_the_bill_names_what_the_service_asks_for_and_what_that_asks_for() -> None:
    components = {one["name"]: one for one in bill()["components"]}
    for name in ("fastapi", "starlette", "qdrant-edge-py", "onnxruntime", "psycopg", "psycopg-binary"):
        assert components[name]["purl"] == f"pkg:pypi/{name}@{version(name)}"
        assert len(components[name]["properties"][0]["value"]) == 64


def test_the_bill_leaves_out_what_only_development_and_export_need() -> None:
    names = {one["name"] for one in bill()["components"]}
    assert names.isdisjoint({"pytest", "mypy", "torch", "footnote-rag"})


def test_every_component_has_the_version_of_the_constraints() -> None:
    lines = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-").replace(".", "-") for line in lines if "==" in line}
    assert {one["name"] for one in bill()["components"]} <= pinned | {"setuptools"}  # pip lists it nowhere

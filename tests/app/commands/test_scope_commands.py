"""Scopes and facets on the command line, in this process and through the server that holds the tenant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.native.schemas.facets import FacetPlaceSchema
from app.owner import new_token, this_process
from app.remote.server import connected
from app.remote.tenant import RemoteTenant
from pipelines.profile.loader import load_profile
from pipelines.types import Query
from tests.app.running import Done, RunCli, Serve

PROFILE = """
tenant: cortx
metadata:
  fields:
    level:     {type: keyword, values: [platform, suite, entity]}
    suite:     {type: keyword}
    entity_id: {type: keyword}
  hierarchy: {level: level, path: [suite, entity_id]}
"""
DOCUMENTS = {
    "policy.md": ("--metadata", "level=platform"),
    "fed.md": ("--metadata", "level=suite", "--metadata", "suite=fed"),
    "corp.md": ("--metadata", "level=suite", "--metadata", "suite=corp"),
}
Cortx = Callable[..., Done]


@pytest.fixture
def cortx(tmp_path: Path, run_cli: RunCli) -> Cortx:
    """Runs a command on a tenant that holds a document of the platform and one of each of two suites."""
    profile, data = tmp_path / "cortx.yaml", tmp_path / "data"
    profile.write_text(PROFILE)

    def run(command: str, *arguments: str) -> Done:
        return run_cli(command, str(profile), *arguments, "--data", str(data))

    for name, metadata in DOCUMENTS.items():
        (tmp_path / name).write_text(f"Reconciliation rules of {name}: compare the ledgers every day.\n")
        assert run("ingest", str(tmp_path / name), *metadata).code == 0
    return run


def ids(done: Done, within: str) -> set[str]:
    assert done.code == 0, done.err
    return {one["document_id"] for one in json.loads(done.out)[within]}


def test_search_ask_and_documents_take_a_scope(cortx: Cortx) -> None:
    for command, within in (
        (("search", "reconciliation"), "results"),
        (("ask", "What are the reconciliation rules?"), "sources"),
        (("documents", "list"), "documents"),
    ):
        scoped = (*command, "--scope", '{"suite": "fed"}', "--json")
        assert ids(cortx(*scoped), within) == {"policy.md", "fed.md"}
        assert ids(cortx(*scoped, "--no-inherit"), within) == {"fed.md"}


def test_a_wrong_scope_is_wrong_usage(cortx: Cortx) -> None:
    done = cortx("search", "reconciliation", "--scope", '{"siute": "fed"}')
    assert (done.code, done.out) == (2, "")
    assert 'scope -> siute: is not in metadata -> hierarchy -> path, did you mean "suite"?' in done.err
    refused = cortx("ask", "x", "--scope", "[1]").err
    assert """--scope: must be a JSON object, such as '{"suite": "fedsuite"}'""" in refused
    assert "is for list, not for show" in cortx("documents", "show", "fed.md", "--scope", "{}").err


def test_a_file_that_lacks_its_levels_field_is_refused_by_name(cortx: Cortx, tmp_path: Path) -> None:
    (tmp_path / "lost.md").write_text("Rules without a suite.\n")
    done = cortx("ingest", str(tmp_path / "lost.md"), "--metadata", "level=suite")
    assert 'metadata -> suite: is required of a document of the level "suite"' in done.out + done.err


def test_facets_are_printed_as_a_tree_and_by_field(cortx: Cortx) -> None:
    done = cortx("facets")
    assert done.code == 0
    assert done.out.splitlines()[0] == "3 documents"
    tree = [line.split() for line in done.out.splitlines()[2:6]]
    assert tree[:2] == [["PLACE", "OWN", "IN", "ALL"], ["(top)", "1", "3"]]
    assert tree[2:] == [["suite", "corp", "1", "1"], ["suite", "fed", "1", "1"]]
    assert "SUITE" in done.out


def test_facets_take_a_filter_and_a_scope(cortx: Cortx) -> None:
    shown = json.loads(cortx("facets", "--scope", '{"suite": "fed"}', "--json").out)
    assert shown["documents"] == 2
    assert shown["fields"]["suite"] == {"values": [{"value": "fed", "documents": 1}], "more": 0}
    assert json.loads(cortx("facets", "--filter", '{"level": "suite"}', "--json").out)["documents"] == 2
    assert json.loads(cortx("facets", "--scope", '{"suite": "fed"}', "--no-inherit", "--json").out)["documents"] == 1


def test_a_server_gets_the_same_scopes(serve: Serve, tmp_path: Path) -> None:
    token = new_token()
    client = serve(PROFILE, local_token=token)
    for name, metadata in DOCUMENTS.items():
        said = dict(pair.split("=") for pair in metadata[1::2])
        body = {"content": f"Reconciliation rules of {name}.", "document_id": name, "metadata": said}
        assert client.post("/tenants/cortx/documents", json=body).status_code == 201
    profile = tmp_path / "cortx.yaml"
    profile.write_text(PROFILE)
    with connected(this_process(str(client.base_url), token)) as server:
        _check_remote(RemoteTenant(server, load_profile(profile)))


def _check_remote(tenant: RemoteTenant) -> None:
    fed = {"suite": "fed"}
    assert {hit.document_id for hit in tenant.search(Query("rules", scope=fed)).results} == {"policy.md", "fed.md"}
    assert {hit.document_id for hit in tenant.search(Query("rules", scope=fed, inherit=False)).results} == {"fed.md"}
    assert {hit.document_id for hit in tenant.answer(Query("Which rules?", scope=fed)).sources} == {
        "policy.md",
        "fed.md",
    }
    assert tenant.documents(9, scope=fed).total == 2
    assert tenant.documents(9, scope=fed, inherit=False).total == 1
    facets = tenant.facets(scope=fed, filters={"level": "suite"})
    assert isinstance(facets.hierarchy, FacetPlaceSchema)
    assert [(place.value, place.documents) for place in facets.hierarchy.below] == [("fed", 1)]

"""Repairs that are interrupted, or cannot be done."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pipelines import Engine
from pipelines.catalogue import NEVER
from pipelines.catalogue.tables import DocumentRow, VersionRow
from pipelines.components.store.edge.sparse_files import copy_with_holes
from tests.conftest import OpenTenant
from tests.pipelines.ingestion.damaged import (
    PROFILE,
    RECUT,
    chunk,
    contents,
    offer,
    populate,
    store_of,
    stray,
    text,
    update,
)


def test_stale_documents_are_listed_and_are_not_a_fault(open_tenant: OpenTenant) -> None:
    engine = open_tenant(PROFILE)
    for number in range(5):
        offer(engine, f"{number}", text("beagle", 3))
    engine.close()
    engine = open_tenant(RECUT + "embedding: {quantize: none}\n")
    for repair in (False, True):
        found = engine.doctor(repair)
        assert (found.healthy, [finding.kind for finding in found.findings]) == (True, ["stale", "stale"])
        assert [finding.detail for finding in found.findings] == [
            "every document was embedded by another model than the profile names; `footnote reembed` reprocesses them",
            "cut with another profile than the present one: 0, 1, 2 and 2 more; `footnote reembed` reprocesses them",
        ]
    engine.reembed()
    assert engine.doctor().findings == ()


def test_a_stale_version_is_repaired_with_the_current_profile(embedded: Engine, open_tenant: OpenTenant) -> None:
    store_of(embedded).remove(chunk("a", 1, 1))
    before = embedded.document("a").chunks
    embedded.close()
    engine = open_tenant(RECUT)
    (finding, stale) = engine.doctor(repair=True).findings
    now = engine.versions("a")[1].chunks
    assert now < before
    assert finding.detail == (
        f"1 of its {before} chunks are not in the store; "
        f"split with the current profile, it has {now} chunks, where {before} were counted"
    )
    assert stale.detail.startswith("cut with another profile than the present one: a, c;")
    assert engine.doctor().findings == (stale,)
    assert [(version.version, version.state) for version in engine.versions("a")] == [(2, "stale"), (1, "superseded")]
    assert len(engine.chunks("a", version=1)) == now


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.slow
@pytest.mark.parametrize("profile", [PROFILE, RECUT], ids=["as it was cut", "stale"])
def test_an_interrupted_repair_is_finished_by_the_next(
    embedded: Engine, open_tenant: OpenTenant, tmp_path: Path, profile: str
) -> None:
    tear(embedded)
    embedded.close()
    whole = open_tenant(profile, data=tmp_path / "whole")
    populate(whole)
    for steps in range(100):
        data = shutil.copytree(tmp_path / "data", tmp_path / f"data-{steps}", copy_function=copy_with_holes)
        engine = open_tenant(profile, data=data)
        survived = repaired_before(engine, steps)
        assert engine.doctor(repair=True).healthy
        assert {finding.kind for finding in engine.doctor().findings} <= {"stale"}
        assert contents(engine)["a", 1] == contents(whole)["a", 1]
        assert set(contents(engine)) == set(contents(whole))
        engine.close()
        if survived:
            break
    assert steps >= 5


def tear(engine: Engine) -> None:
    """Several faults at once."""
    store = store_of(engine)
    store.remove(chunk("a", 1, len(engine.chunks("a", version=1)) - 1))
    store.set_fields({"text": "Cats."}, chunk("a", 1, 0))
    store.set_fields({"valid_to": NEVER}, chunk("a", 1, 1))
    stray(engine, document_id="nobody")
    update(engine, DocumentRow, "a", version=1)


def repaired_before(engine: Engine, steps: int) -> bool:
    """Repairs until so much was written, and is killed then; whether it was done before."""
    census_of = engine._parts.writing.doctor._census
    left = steps

    def mortal(change: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*arguments: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return change(*arguments)

        return changed

    with pytest.MonkeyPatch.context() as patch:
        chunks = store_of(engine)._chunks
        for name in ("remove", "set_fields"):
            patch.setattr(chunks, name, mortal(getattr(chunks, name)))
        patch.setattr(chunks, "write", point_by_point(mortal(chunks.write)))
        for name in ("correct", "recount"):
            patch.setattr(census_of, name, mortal(getattr(census_of, name)))
        try:
            engine.doctor(repair=True)
        except Killed:
            return False
    return True


def point_by_point(write: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    def written(points: list[Any]) -> None:
        for point in points:
            write([point])

    return written


def test_chunks_that_cannot_be_embedded_are_reported_and_left(embedded: Engine, open_tenant: OpenTenant) -> None:
    store_of(embedded).remove(chunk("a", 2, 1))
    update(embedded, DocumentRow, "c", version=0)
    said = embedded._parts.catalogue.claim("", {}).section
    embedded._parts.catalogue.flip(0, "a model that nobody has", said, lambda _: None)
    with embedded._parts.catalogue.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM embeddings"))
    embedded.close()
    engine = open_tenant(PROFILE)
    found = engine.doctor(repair=True)
    assert [(finding.kind, finding.repaired) for finding in found.findings] == [
        ("missing_chunks", False),
        ("broken_document", True),
        ("stale", False),
    ]
    assert "not repaired: the embedding model of the tenant's documents" in found.findings[0].detail
    assert not found.healthy


def test_a_document_that_would_damage_the_store_is_reported_and_left_out(
    embedded: Engine, open_tenant: OpenTenant, tmp_path: Path
) -> None:
    deep: list[Any] = []
    for _ in range(130):
        deep = [deep]
    update(embedded, VersionRow, "a", 2, meta={"deep": deep})
    store_of(embedded).remove(chunk("a", 2, 1))
    store_of(embedded).remove(chunk("c", 1, 0))
    found = embedded.doctor(repair=True)
    assert [(finding.document_id, finding.repaired) for finding in found.findings] == [("a", False), ("c", True)]
    assert found.findings[0].detail.endswith("not repaired: metadata -> deep: nests deeper than 30 levels")
    embedded.close()
    assert open_tenant(PROFILE).search("siamese").hits

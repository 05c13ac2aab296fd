"""Files that are kept as they came: with the versions that were read from them, and no longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pipelines.catalogue import Bounds, Catalogue, NewVersion
from tests.pipelines.catalogue.test_catalogue import NEW, Undone

FIRST, SECOND = "1" * 64, "2" * 64


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm", {})
    yield opened
    opened.close()


def put(catalogue: Catalogue, new: NewVersion, original: bytes) -> None:
    with catalogue.committing(Undone()) as commit:
        commit.look_up([new.document_id])
        commit.put(new)
        commit.keep_original(new, original)


def kept(catalogue: Catalogue) -> dict[str, bytes | None]:
    return {sha256: catalogue.original(NEW.document_id, sha256) for sha256 in (FIRST, SECOND)}


def test_versions_of_one_content_share_the_file(catalogue: Catalogue) -> None:
    for pipeline in ("once", "again"):
        put(catalogue, replace(NEW, sha256=FIRST, pipeline=pipeline), b"%PDF-1")
    assert kept(catalogue) == {FIRST: b"%PDF-1", SECOND: None}


def test_retention_drops_a_file_with_the_last_version_that_was_read_from_it(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, sha256=FIRST), b"%PDF-1")
    put(catalogue, replace(NEW, sha256=SECOND), b"%PDF-2")
    assert kept(catalogue) == {FIRST: b"%PDF-1", SECOND: b"%PDF-2"}
    catalogue.trim(Bounds(versions=1, days=None))
    assert kept(catalogue) == {FIRST: None, SECOND: b"%PDF-2"}


def test_a_purge_takes_the_files_of_its_document_alone(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, sha256=FIRST), b"%PDF-1")
    put(catalogue, replace(NEW, sha256=FIRST, document_id="other"), b"%PDF-1")
    with catalogue.committing(Undone()) as commit:
        commit.purge(NEW.document_id, 9)
    assert kept(catalogue) == {FIRST: None, SECOND: None}
    assert catalogue.original("other", FIRST) == b"%PDF-1"

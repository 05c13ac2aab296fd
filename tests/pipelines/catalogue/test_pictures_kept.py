"""Pictures that are kept: with the versions that show them, and no longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pipelines.catalogue import Bounds, Catalogue, NewVersion
from pipelines.types import Picture, PlacedPicture, Span
from tests.pipelines.catalogue.test_catalogue import NEW, Undone

FIRST, SECOND = "1" * 64, "2" * 64
PLACED = (PlacedPicture(1, "image/png", Span(0, 4)), PlacedPicture(2, "image/jpeg", Span(5, 7), "sees"))


@pytest.fixture
def catalogue(url: str) -> Iterator[Catalogue]:
    opened = Catalogue.open(url, "acme")
    opened.claim("minilm", {})
    yield opened
    opened.close()


def put(catalogue: Catalogue, new: NewVersion, *contents: bytes) -> None:
    with catalogue.committing(Undone()) as commit:
        commit.look_up([new.document_id])
        commit.put(new)
        commit.keep_pictures(new, [Picture("image/png", content) for content in contents])


def kept(catalogue: Catalogue, document_id: str = NEW.document_id) -> list[bytes | None]:
    found = (catalogue.picture(document_id, sha256, number) for sha256 in (FIRST, SECOND) for number in (1, 2))
    return [None if picture is None else picture.content for picture in found]


def test_a_version_knows_where_its_pictures_are(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, sha256=FIRST, pictures=PLACED), b"one", b"two")
    assert catalogue.version(NEW.document_id, None, None).pictures == PLACED
    assert catalogue.stored_texts([(NEW.document_id, 1)])[NEW.document_id, 1].pictures == PLACED
    assert kept(catalogue) == [b"one", b"two", None, None]


def test_retention_drops_pictures_with_the_last_version_that_shows_them(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, sha256=FIRST, pipeline="once"), b"one")
    put(catalogue, replace(NEW, sha256=FIRST, pipeline="again"), b"one")
    put(catalogue, replace(NEW, sha256=SECOND), b"two")
    for sha256, pipeline in ((FIRST, "once"), (SECOND, "once"), (SECOND, "again")):
        put(catalogue, replace(NEW, document_id="other", sha256=sha256, pipeline=pipeline), sha256.encode())
    catalogue.trim(Bounds(versions=2, days=None))
    assert kept(catalogue) == [b"one", None, b"two", None]
    assert kept(catalogue, "other") == [None, None, SECOND.encode(), None]


def test_a_purge_takes_the_pictures_of_its_document_alone(catalogue: Catalogue) -> None:
    put(catalogue, replace(NEW, sha256=FIRST), b"one", b"two")
    put(catalogue, replace(NEW, sha256=FIRST, document_id="other"), b"one")
    with catalogue.committing(Undone()) as commit:
        commit.purge(NEW.document_id, 9)
    assert kept(catalogue) == [None] * 4
    assert kept(catalogue, "other") == [b"one", None, None, None]

"""A tenant with a past, on every stack, or embedded."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import Engine, open_engine
from pipelines.components.store.edge.sparse_files import copy_with_holes
from tests.conftest import OpenTenant
from tests.congruence.backends import catalogue_of
from tests.pipelines.ingestion.damaged import (
    PROFILE,
    STACKS,
    populate,
)


@pytest.fixture(params=STACKS)
def engine(request: pytest.FixtureRequest, open_tenant: OpenTenant) -> Iterator[Engine]:
    store, database = request.param.split(", ")
    with catalogue_of(database) as lines:
        opened = open_tenant(f"{PROFILE}store: {{engine: {store}}}\n{lines}")
        populate(opened)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def populated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the embedded tenant with a past: making it takes longer than copying it."""
    folder = tmp_path_factory.mktemp("populated")
    (folder / "kennel.yaml").write_text(PROFILE, encoding="utf-8")
    with open_engine(folder / "kennel.yaml", folder / "data") as engine:
        populate(engine)
    return folder / "data"


@pytest.fixture
def embedded(open_tenant: OpenTenant, populated: Path, tmp_path: Path) -> Engine:
    data = Path(shutil.copytree(populated, tmp_path / "data", copy_function=copy_with_holes))
    return open_tenant(PROFILE, data)

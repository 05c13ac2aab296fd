"""A tenant with a past, on every stack, or embedded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines import Engine
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


@pytest.fixture
def embedded(open_tenant: OpenTenant) -> Engine:
    engine = open_tenant(PROFILE)
    populate(engine)
    return engine

"""What every test may use: tenants opened from the profile at the head of a test's file."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from pipelines.components.embedding import build_tokenizer, models_folder
from pipelines.components.models.tokenizer import TokenSpans
from pipelines.engine import Engine, open_engine
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from tests.congruence.postgres import drop_free_catalogues
from tests.long_files import put_last, skip_late

NEW_OBJECTS = 20_000  # before the garbage collector looks: at its usual 700 it takes seconds of every worker's start

OpenTenant = Callable[..., Engine]

# The same examples every time, and as long as they take: what one change passed, the next must not fail by chance.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

gc.set_threshold(NEW_OBJECTS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what is soon done."""
    put_last(items, config.rootpath)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what a slow machine has no time for."""
    skip_late(item, item.config.rootpath)


def pytest_collection_finish() -> None:
    """Leave what was loaded, and thousands of tests, out of every later collection."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Leave no database behind."""
    drop_free_catalogues()


@pytest.fixture
def disk_path() -> Iterator[Path]:
    """A folder on the disk, for what measures room: in memory, files that are hardly used take all that they may."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def open_tenant(tmp_path: Path) -> Iterator[OpenTenant]:
    """Opens a tenant from the text of its profile; closes it when the test ends."""
    with ExitStack() as opened:

        def open_it(profile: str, data: Path | None = None) -> Engine:
            file = tmp_path / f"profile-{len(list(tmp_path.glob('profile-*')))}.yaml"
            file.write_text(profile, encoding="utf-8")
            return opened.enter_context(open_engine(file, data or tmp_path / "data"))

        yield open_it


@pytest.fixture(scope="session", autouse=True)
def tokenizer() -> TokenSpans:
    """The bundled model's tokenizer, kept for all tests as it is for all tenants of a server."""
    return build_tokenizer(HuggingFaceEmbedding(), models_folder())

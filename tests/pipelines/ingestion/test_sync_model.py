"""Any order of changes to a knowledge folder, compared with what should be there afterwards."""

import os
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.engine import open_engine
from pipelines.errors import DocumentNotFound
from pipelines.types import DocumentInput
from tests.pipelines.ingestion.knowledge import HOUR_NS, PROFILE, Killed, Tenant, killed_at, states

PATHS = ("a.txt", "b.txt", "c.txt", "x/a.txt", "x/b.txt", "y/a.txt")
TEXTS = ("many dogs", "some cats", "five fish", "a longer text about birds")
STEPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
    st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("move"), st.sampled_from(("x", "y")), st.sampled_from(("x", "y", "z"))),
    st.tuples(st.just("copy"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("remove"), st.sampled_from(PATHS), st.none()),
    st.tuples(st.just("give"), st.sampled_from((*PATHS, "given.txt")), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from((*PATHS, "given.txt")), st.none()),
    st.tuples(st.just("age"), st.none(), st.none()),
    st.tuples(st.just("sync"), st.none(), st.none()),
    st.tuples(st.just("killed sync"), st.integers(0, 3), st.none()),
)


class Model:
    """What should be there: the files as they are, and what was given.

    ``over`` is what was given or deleted (empty) since a file was ``recorded``; it stands until that file changes.
    """

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant
        self.given: dict[str, str] = {}
        self.over: dict[str, str] = {}
        self.recorded: dict[str, str] = {}

    def carry_out(self, step: tuple[str, Any, Any]) -> None:
        what, first, second = step
        getattr(self, what.replace(" ", "_"))(*(said for said in (first, second) if said is not None))

    def files(self) -> dict[str, str]:
        found = [path for path in self.tenant.folder.rglob("*") if path.is_file()]
        return {path.relative_to(self.tenant.folder).as_posix(): path.read_text() for path in found}

    def write(self, path: str, text: str) -> None:
        file = self.tenant.folder / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def move(self, before: str, after: str) -> None:
        source, target = self.tenant.folder / before, self.tenant.folder / after
        if source.exists() and (source.is_file() or not target.exists()):
            target.parent.mkdir(exist_ok=True)
            source.replace(target)

    def copy(self, before: str, after: str) -> None:
        if (self.tenant.folder / before).exists() and before != after:
            self.write(after, (self.tenant.folder / before).read_text())

    def remove(self, path: str) -> None:
        (self.tenant.folder / path).unlink(missing_ok=True)

    def give(self, path: str, text: str) -> None:
        (result,) = self.tenant.engine.ingest([DocumentInput(text, document_id=path, source=path)])
        if result.state == "ready":  # what is as the folder has it stays the folder's
            self.given[path] = self.over[path] = text

    def delete(self, path: str) -> None:
        self.given.pop(path, None)
        try:
            self.tenant.engine.delete(path)
            self.over[path] = ""
        except DocumentNotFound:
            assert path not in self.tenant.texts()

    def age(self) -> None:
        for number, path in enumerate(sorted(self.files())):
            moment = time.time_ns() - HOUR_NS + number
            os.utime(self.tenant.folder / path, ns=(moment, moment))

    def sync(self) -> None:
        files = self.files()
        self.over = {path: text for path, text in self.over.items() if self.recorded.get(path) == files.get(path, "")}
        brought = {path: text for path, text in files.items() if path not in self.over}
        self.given = {path: text for path, text in self.given.items() if path not in brought}
        self.recorded = files
        result = self.tenant.sync(allow_empty=True)
        assert set(states(result)) == set(files)
        assert self.tenant.texts() == self.given | brought
        assert set(self.tenant.files.all()) == set(files)

    def killed_sync(self, reports: int) -> None:
        with suppress(Killed):
            self.tenant.sync(allow_empty=True, report=killed_at(reports))
        self.sync()


@settings(max_examples=60)
@given(steps=st.lists(STEPS, max_size=14))
def test_whatever_is_done_to_the_folder_it_is_followed(
    shared_tenant: Tenant, steps: list[tuple[str, Any, Any]]
) -> None:
    clear(shared_tenant)
    model = Model(shared_tenant)
    for step in steps:
        model.carry_out(step)
    model.sync()
    for path in model.files():
        model.remove(path)
    model.sync()


def clear(tenant: Tenant) -> None:
    """What an example before left, however it ended."""
    for file in tenant.folder.rglob("*.txt"):
        file.unlink()
    tenant.sync(allow_empty=True)
    for document_id in tenant.texts():
        tenant.engine.delete(document_id)


@pytest.fixture(scope="module")
def shared_tenant(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A tenant for many examples, each of which leaves it empty."""
    root = tmp_path_factory.mktemp("shared")
    (root / "knowledge").mkdir()
    (root / "profile.yaml").write_text(PROFILE)
    with open_engine(root / "profile.yaml", root / "data") as engine:
        yield Tenant(engine, root / "knowledge")

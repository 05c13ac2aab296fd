"""Opening the engines of several tenants, and giving all of them back."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.tenants import Tenants, open_tenants, purging, require_distinct
from pipelines import open_engine
from pipelines.errors import DataFolderHeld, ProfileError, TenantNotFound
from pipelines.profile.loader import LoadedProfile, load_profile
from pipelines.types import DocumentInput
from tests.fakes.embedding_server import embedding_server

_PATIENCE = 120.0  # seconds; a busy machine is no failure


def _profile(folder: Path, name: str, text: str) -> LoadedProfile:
    file = folder / f"{name}.yaml"
    file.write_text(text)
    return load_profile(file)


def _wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def test_each_tenant_is_found_by_its_name(tmp_path: Path) -> None:
    profiles = [_profile(tmp_path, name, f"tenant: {name}") for name in ("cats", "dogs")]
    with open_tenants(profiles, tmp_path / "data") as tenants:
        assert [engine.tenant for engine in tenants] == ["cats", "dogs"]
        assert tenants.engine("dogs").tenant == "dogs"


def test_a_tenant_that_is_not_served_is_not_found() -> None:
    with pytest.raises(TenantNotFound, match='no tenant "birds" is served here'):
        Tenants([]).engine("birds")


def test_engines_are_closed_at_the_end(tmp_path: Path) -> None:
    profile = _profile(tmp_path, "cats", "tenant: cats")
    other = _profile(tmp_path, "other", "tenant: cats\nsparse: {language: german}")
    with open_tenants([profile], tmp_path), pytest.raises(DataFolderHeld):
        open_engine(other, tmp_path)
    open_engine(profile, tmp_path).close()


def test_engines_are_closed_when_another_cannot_be_opened(tmp_path: Path) -> None:
    cats, dogs = _profile(tmp_path, "cats", "tenant: cats"), _profile(tmp_path, "dogs", "tenant: dogs")
    other = _profile(tmp_path, "other", "tenant: dogs\nsparse: {language: german}")
    with open_engine(other, tmp_path), pytest.raises(DataFolderHeld), open_tenants([cats, dogs], tmp_path):
        pytest.fail("dogs was opened twice")
    open_engine(cats, tmp_path).close()


@pytest.mark.parametrize(("sync", "documents"), [("startup", 1), ("off", 0)])
def test_a_knowledge_folder_is_loaded_if_the_profile_says_so(tmp_path: Path, sync: str, documents: int) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "a.txt").write_text("Cats sleep all day.")
    profile = _profile(tmp_path, "cats", f"tenant: cats\nknowledge: {{path: knowledge, sync: {sync}}}")
    with open_tenants([profile], tmp_path / "data") as tenants:
        assert tenants.engine("cats").stats().documents == documents


def test_the_result_of_knowledge_sync_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "knowledge").mkdir()
    for name, text in (("a.txt", "Cats sleep all day."), ("b.txt", "Cats purr."), ("blank.txt", " ")):
        (tmp_path / "knowledge" / name).write_text(text)
    profile = _profile(tmp_path, "cats", "tenant: cats\nknowledge: {path: knowledge, sync: startup}")
    caplog.set_level(logging.INFO, "footnote")
    with open_tenants([profile], tmp_path / "data"):
        failure, counts = caplog.messages
    assert failure.startswith("cats: knowledge: 'blank.txt' failed: ")
    assert counts == "cats: knowledge: 2 ready, 0 unchanged, 1 failed, 0 removed"
    (tmp_path / "knowledge" / "b.txt").unlink()
    with open_tenants([profile], tmp_path / "data"):
        assert caplog.messages[-1] == "cats: knowledge: 0 ready, 1 unchanged, 1 failed, 1 removed"


def test_a_missing_knowledge_folder_is_logged_and_blocks_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    profiles = [
        _profile(tmp_path, "cats", "tenant: cats\nknowledge: {path: nowhere, sync: startup}"),
        _profile(tmp_path, "dogs", "tenant: dogs"),
    ]
    with open_tenants(profiles, tmp_path / "data") as tenants:
        assert [tenants.engine(name).stats().documents for name in ("cats", "dogs")] == [0, 0]
    (message,) = caplog.messages
    assert message.startswith("cats: knowledge: ")


def test_a_knowledge_folder_is_loaded_once_the_embedding_server_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.tenants._SOON", 0.05)
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "a.txt").write_text("Cats sleep all day.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    profile = _profile(
        tmp_path,
        "cats",
        f"""
tenant: cats
knowledge: {{path: knowledge, sync: startup}}
embedding: {{provider: ollama, model: minilm, base_url: "http://127.0.0.1:{port}", dimensions: 4}}
""",
    )
    with open_tenants([profile], tmp_path / "data") as tenants:
        assert tenants.engine("cats").stats().documents == 0
        with embedding_server(port):
            _wait_until(lambda: tenants.engine("cats").stats().documents == 1)


def test_a_knowledge_folder_is_watched_where_the_profile_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "knowledge"
    folder.mkdir()
    (folder / "a.txt").write_text("Cats sleep all day.")
    profile = _profile(tmp_path, "cats", "tenant: cats\nknowledge: {path: knowledge, sync: watch}")
    with open_tenants([profile], tmp_path / "data") as tenants:
        engine = tenants.engine("cats")
        assert engine.stats().documents == 1
        (folder / "b.txt").write_text("Cats purr.")
        _wait_until(lambda: engine.stats().documents == 2)


def test_jobs_that_were_asked_for_before_are_carried_out(tmp_path: Path) -> None:
    profile = _profile(tmp_path, "cats", "tenant: cats")
    with open_engine(profile, tmp_path / "data") as engine:
        job_id = engine.jobs.submit("ingest", [DocumentInput("Cats purr.", document_id="purr")]).job_id
    with open_tenants([profile], tmp_path / "data") as tenants:
        engine = tenants.engine("cats")
        _wait_until(lambda: engine.jobs.job(job_id).state == "done")
        assert engine.document("purr").state == "ready"


def test_jobs_are_left_to_a_worker_where_the_profile_says_so(tmp_path: Path) -> None:
    profiles = [
        _profile(tmp_path, "cats", "tenant: cats\njobs: {run: worker}"),
        _profile(tmp_path, "dogs", "tenant: dogs"),
    ]
    with open_tenants(profiles, tmp_path / "data") as tenants:
        left = tenants.engine("cats").jobs.submit("optimize")
        dogs = tenants.engine("dogs").jobs
        done = dogs.submit("optimize")
        _wait_until(lambda: dogs.job(done.job_id).state == "done")
        assert tenants.engine("cats").jobs.job(left.job_id).state == "queued"


@pytest.mark.parametrize(
    ("retention", "jobs"), [("", []), ("retention: {versions: 3}", ["purge"]), ("retention: {days: 0}", ["purge"])]
)
def test_history_is_purged_at_the_start_where_the_profile_bounds_it(
    tmp_path: Path, retention: str, jobs: list[str]
) -> None:
    profile = _profile(tmp_path, "cats", f"tenant: cats\njobs: {{run: worker}}\n{retention}")
    with open_tenants([profile], tmp_path / "data") as tenants:
        assert [job.kind for job in tenants.engine("cats").jobs.list().jobs] == jobs


def test_history_is_purged_again_and_again_until_the_end(tmp_path: Path) -> None:
    profile = _profile(tmp_path, "cats", "tenant: cats")
    with open_engine(profile, tmp_path / "data") as engine:
        with purging([engine], every=0.01):
            _wait_until(lambda: len(engine.jobs.list().jobs) >= 3)
        count = len(engine.jobs.list().jobs)
        assert "purging" not in {thread.name for thread in threading.enumerate()}
        assert len(engine.jobs.list().jobs) == count


def test_two_profiles_with_one_tenant_are_refused(tmp_path: Path) -> None:
    profiles = [_profile(tmp_path, name, "tenant: cats") for name in ("one", "two")]
    with pytest.raises(ProfileError, match='"cats" is the tenant of another profile'):
        require_distinct(profiles)

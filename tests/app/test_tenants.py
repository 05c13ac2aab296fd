"""Opening the engines of several tenants, and giving all of them back."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from app.tenants import Tenants, open_tenants, require_distinct
from pipelines import open_engine
from pipelines.errors import DataFolderHeld, InvalidRequest, ProfileError, TenantNotFound
from pipelines.profile.loader import LoadedProfile, load_profile


def _profile(folder: Path, name: str, text: str) -> LoadedProfile:
    file = folder / f"{name}.yaml"
    file.write_text(text)
    return load_profile(file)


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
    with open_tenants([profile], tmp_path), pytest.raises(DataFolderHeld):
        open_engine(profile, tmp_path)
    open_engine(profile, tmp_path).close()


def test_engines_are_closed_when_another_cannot_be_opened(tmp_path: Path) -> None:
    cats, dogs = _profile(tmp_path, "cats", "tenant: cats"), _profile(tmp_path, "dogs", "tenant: dogs")
    with open_engine(dogs, tmp_path), pytest.raises(DataFolderHeld), open_tenants([cats, dogs], tmp_path):
        pytest.fail("dogs was opened twice")
    open_engine(cats, tmp_path).close()


@pytest.mark.parametrize(("sync", "documents"), [("startup", 1), ("off", 0)])
def test_a_knowledge_folder_is_brought_in_where_the_profile_says_so(tmp_path: Path, sync: str, documents: int) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "a.txt").write_text("Cats sleep all day.")
    profile = _profile(tmp_path, "cats", f"tenant: cats\nknowledge: {{path: knowledge, sync: {sync}}}")
    with open_tenants([profile], tmp_path / "data") as tenants:
        assert tenants.engine("cats").stats().documents == documents


def test_what_became_of_the_knowledge_folder_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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


def test_a_knowledge_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    profile = _profile(tmp_path, "cats", "tenant: cats\nknowledge: {path: nowhere, sync: startup}")
    with pytest.raises(InvalidRequest, match="no such file or folder"), open_tenants([profile], tmp_path / "data"):
        pytest.fail("it was opened")


def test_two_profiles_with_one_tenant_are_refused(tmp_path: Path) -> None:
    profiles = [_profile(tmp_path, name, "tenant: cats") for name in ("one", "two")]
    with pytest.raises(ProfileError, match='"cats" is the tenant of another profile'):
        require_distinct(profiles)

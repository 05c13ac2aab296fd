"""An engine that several callers opened stays open until the last of them closes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.components.store.data_folder import held
from pipelines.engine import Engine
from pipelines.engine.opening import open_alone, open_engine
from pipelines.engine.sharing import SharedEngines
from pipelines.errors import CatalogueClosed, DataFolderHeld
from pipelines.profile.loader import load_profile
from pipelines.types import DocumentInput


def test_an_engine_that_is_closed_reads_nothing_more(tmp_path: Path) -> None:
    engine = open_engine({"tenant": "pier"}, tmp_path)
    engine.ingest([DocumentInput("The ferry leaves at noon.", "ferry.txt")])
    assert repr(engine) == "Engine('pier')"
    engine.close()
    assert repr(engine) == "Engine('pier', closed)"
    asked = "When does the ferry leave?"
    questions = (lambda: engine.search(asked), lambda: engine.answer(asked), lambda: engine.embed([asked]))
    reads = (engine.documents, engine.stats, engine.facets, lambda: engine.content("ferry.txt"), engine.doctor)
    for ask in (*questions, *reads):
        with pytest.raises(CatalogueClosed, match="the tenant is not available: it has been closed"):
            ask()


def test_an_engine_is_not_closed_by_the_users_of_another_profile(tmp_path: Path) -> None:
    shared = SharedEngines()

    def opened(top_k: int) -> Engine:
        loaded = load_profile({"tenant": "kennel", "retrieval": {"top_k": top_k}})
        # Of a tenant on servers nobody holds the folder.
        return shared.open(tmp_path, loaded, lambda: open_alone(loaded, tmp_path / str(top_k)))

    first, again, second, also_second = opened(3), opened(3), opened(4), opened(4)
    assert first is again
    assert second is also_second
    assert first is not second
    first.close()
    again.close()
    assert is_closed(tmp_path / "3")
    second.close()
    assert not is_closed(tmp_path / "4")
    assert opened(4) is second
    second.close()
    also_second.close()
    assert is_closed(tmp_path / "4")
    last = opened(4)
    assert last is not second
    last.close()


def test_a_changed_profile_is_refused_with_how_often_the_engine_must_be_closed(tmp_path: Path) -> None:
    opened = [open_engine({"tenant": "pier"}, tmp_path) for _ in range(3)]
    changed = {"tenant": "pier", "title": "The pier"}
    for times in ("3 times, as often as it was opened", "2 times, as often as it was opened", "first"):
        with pytest.raises(DataFolderHeld, match=rf"close that engine {times}: engine\.close\(\)"):
            open_engine(changed, tmp_path)
        opened.pop().close()
    open_engine(changed, tmp_path).close()


def is_closed(folder: Path) -> bool:
    """Whether another one may work on the data now."""
    try:
        with held(folder / "kennel"):
            return True
    except DataFolderHeld:
        return False

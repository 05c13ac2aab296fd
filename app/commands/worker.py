"""``footnote worker``."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType

import typer

from app.at_rest import private_files
from app.commands.options import Data, ProfileNames
from app.http.logs import log_to_stderr
from app.settings import data_folder, logs_json
from app.tenants import open_each, require_distinct
from pipelines.engine.connecting import Connection, databases_away
from pipelines.jobs.runner import run_jobs
from pipelines.profile.loader import LoadedProfile, load_profile

_EVERY_S = 1.0
_log = logging.getLogger("footnote")

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def worker(profiles: ProfileNames, data: Data = None) -> None:
    """Run tenants' jobs.

    A tenant whose data cannot be opened is left out, unless there is no other. A worker waits at its start for
    databases that do not answer. A job that runs when the worker stops continues later, or elsewhere.
    """
    loaded = [load_profile(name) for name in profiles]
    require_distinct(loaded)
    folder = data_folder(data)
    log_to_stderr(as_json=logs_json())
    with private_files(), _stop_signal() as stopped, ExitStack() as opened:
        if not _wait_for_databases(loaded, stopped):
            return
        engines, _ = open_each(loaded, folder, {}, opened)
        opened.enter_context(run_jobs([engine.work for engine in engines], folder))
        for engine in engines:
            print(f"{engine.tenant}: running jobs")
        print("ready", flush=True)
        stopped.wait()


def _wait_for_databases(loaded: Sequence[LoadedProfile], stopped: threading.Event) -> bool:
    """Return once every database answers; False if the worker is to stop before that."""
    waiting: list[Connection] = []
    while away := [one for profile in loaded for one in databases_away(profile)]:
        for one in away:
            if one not in waiting:
                _log.warning("waiting to start: %s at %s: %s", one.part, one.address, one.detail)
        waiting = away
        if stopped.wait(_EVERY_S):
            return False
    return True


@contextmanager
def _stop_signal() -> Iterator[threading.Event]:
    """An event that SIGTERM and SIGINT set; after the block, the process ends as the signal would have ended it."""
    stopped = threading.Event()
    received: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        received.append(number)
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for first in received[:1]:
        signal.raise_signal(first)

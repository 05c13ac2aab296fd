"""``footnote worker``."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

import typer

from app.at_rest import private_files
from app.commands.options import Data, ProfileNames
from app.settings import data_folder
from app.tenants import require_distinct
from pipelines import open_engine
from pipelines.jobs.runner import run_jobs
from pipelines.profile.loader import load_profile

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def worker(profiles: ProfileNames, data: Data = None) -> None:
    """Run tenants' jobs.

    A job that runs when the worker stops continues later, or elsewhere.
    """
    loaded = [load_profile(name) for name in profiles]
    require_distinct(loaded)
    folder = data_folder(data)
    logging.basicConfig(format="%(levelname)s: %(message)s")  # to standard error, warnings and worse
    with private_files(), _stop_signal() as stopped, ExitStack() as opened:
        engines = [opened.enter_context(open_engine(profile, folder)) for profile in loaded]
        opened.enter_context(run_jobs([engine.work for engine in engines], folder))
        for engine in engines:
            print(f"{engine.tenant}: running jobs")
        print("ready", flush=True)
        stopped.wait()


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

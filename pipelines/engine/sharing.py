"""Engines that are open in this process, so that opening a tenant once more gives the same one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pipelines.engine.engine import Engine
from pipelines.errors import DataFolderHeld
from pipelines.profile.loader import LoadedProfile


@dataclass(slots=True)
class _Share:
    engine: Engine
    loaded: LoadedProfile
    users: int


class SharedEngines:
    """Engines by the process and the folder that they work on. A forked process uses none of its parent's."""

    def __init__(self) -> None:
        self._shares: dict[tuple[int, Path], _Share] = {}
        self._lock = threading.RLock()

    def open(self, folder: Path, loaded: LoadedProfile, build: Callable[[], Engine]) -> Engine:
        """Return the engine that is open on a tenant's folder with this very profile, or the one that ``build`` opens.

        It stays open until `Engine.close` was called as often as the engine was returned.

        Raises:
            DataFolderHeld: This process has opened the folder with another profile, or another process has.
        """
        place = (os.getpid(), folder.resolve())
        with self._lock:
            held = self._shares.get(place)
            if held is None or held.loaded != loaded:
                engine = self._build(folder, held, build)
                self._shares[place] = held = _Share(engine, loaded, 0)
                engine.keep_open = partial(self._leave, place, held)
            held.users += 1
            return held.engine

    @staticmethod
    def _build(folder: Path, held: _Share | None, build: Callable[[], Engine]) -> Engine:
        try:
            return build()
        except DataFolderHeld as error:
            if held is None:
                raise
            raise DataFolderHeld(str(folder), here=True, times=held.users) from error

    def _leave(self, place: tuple[int, Path], share: _Share) -> bool:
        """Return whether others still use the engine that was closed."""
        with self._lock:
            share.users -= 1
            if share.users <= 0 and self._shares.get(place) is share:  # another profile may have taken the place
                del self._shares[place]
            return share.users > 0

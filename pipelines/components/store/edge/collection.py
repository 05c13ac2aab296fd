"""One collection of the embedded store: a Qdrant Edge shard that can be optimised while it is used.

    <collection>/collection.json     configuration, and which generation holds
    <collection>/<generation>/       the shard's files

A new generation is made beside the old one and takes over when ``collection.json``, replaced in one step, names it; so
a killed process leaves the old one or the new one, and what no one names is swept away at the next start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import qdrant_edge as edge
from pydantic import BaseModel, ValidationError
from qdrant_client import models

from pipelines.components.store.edge.configs import edge_config
from pipelines.components.store.edge.copy_points import copy_points
from pipelines.components.store.edge.room import TO_OPEN, require_room, room_for, room_for_copies
from pipelines.components.store.edge.sparse_files import copy_with_holes, dig_holes
from pipelines.errors import InvalidRequest, Problem, StoreFilesDamaged, StoreUnavailable

T = TypeVar("T")
_STATE = "collection.json"
_OPTIMIZER = Path(__file__).with_name("optimize.py")
_FLUSH_AFTER = 10_000  # points: replaying their log takes half a second at the next start after a kill
_COST_OF_A_CHANGE = 100  # a change by filter costs the replay about as much as so many points
_VECTORS_OF_A_POINT = 3  # so many vectors of a multivector take as long to write as a point without any
_AT_ONCE = 2_000  # points: optimising them takes no longer than starting another process
_CLOSED = "it was closed during the call"
# Edge's exceptions have no classes: so its messages begin where the request is wrong, and any other tells of Edge.
_FAULTS_OF_CALLERS = (
    "No appropriate index",
    "Not existing vector name",
    "Validation failed",
    "Vector dimension error",
    "Wrong usage of",
)
_FAULTS_OF_MACHINES = ("No space left", "Permission denied", "Read-only file system", "Too many open files")
_ADVICE = "if that stays after a restart, `footnote doctor --repair` makes it again from the catalogue"
_PANIC = "PanicException"  # of PyO3, which cannot be imported; it is no Exception


class State(BaseModel):
    """What ``collection.json`` says."""

    generation: str
    unoptimized: int = 0
    config: models.CollectionConfig


@dataclass(frozen=True, slots=True)
class Change:
    """An operation, how many points it writes, and how many vectors their multivectors have."""

    operation: edge.UpdateOperation
    points: int = 0
    vectors: int = 0

    @property
    def cost(self) -> int:
        """What writing or replaying it takes, in points."""
        return self.points + self.vectors // _VECTORS_OF_A_POINT or _COST_OF_A_CHANGE


class EdgeCollection:
    """A collection that is open; its folder must be held by this process.

    Every call of Edge holds Python's global lock until it returns, so that calls never run side by side, whatever the
    threads; the locks here only keep the shard from being exchanged under a call, and writers away while it is copied.
    """

    def __init__(self, folder: Path, state: State) -> None:
        self._folder = folder
        self._state = state
        self._reading = threading.Lock()
        self._writing = threading.RLock()
        self._optimizing = threading.Lock()
        self._starting = threading.Lock()
        self._journal: list[Change] | None = None
        self._optimizer: subprocess.Popen[str] | None = None
        self._unflushed = 0
        self._closed = False
        self._shard = _load(folder / state.generation)

    @classmethod
    def create(cls, folder: Path, config: models.CollectionConfig) -> EdgeCollection:
        """Return a new, empty collection; it exists from the moment its state is written."""
        state = State(generation=uuid4().hex, config=config)
        path = folder / state.generation
        with edge_errors():
            path.mkdir(parents=True)
            edge.EdgeShard.create(str(path), edge_config(config)).close()
        _write_state(folder, state)
        return cls(folder, state)

    @classmethod
    def open(cls, folder: Path) -> EdgeCollection:
        """Return the collection in ``folder``, after sweeping out what a killed process left unfinished.

        Raises:
            StoreFilesDamaged: Its files do not hold what they should.
            StoreUnavailable: They cannot be read.
        """
        with edge_errors():
            state = _read_state(folder)
            for left in folder.iterdir():
                if left.is_dir() and left.name != state.generation:
                    shutil.rmtree(left, ignore_errors=True)  # the optimiser of a killed server may be ending there
        return cls(folder, state)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Return whether a collection was ever completed there."""
        with edge_errors():
            return (folder / _STATE).is_file()

    @property
    def config(self) -> models.CollectionConfig:
        """What the collection was created with."""
        return self._state.config

    @property
    def unoptimized(self) -> int:
        """Points written since the last optimisation: they are searched one by one."""
        return self._state.unoptimized

    def read(self, ask: Callable[[edge.EdgeShard], T]) -> T:
        """Return the answer of the shard to ``ask``."""
        with self._reading, edge_errors():
            return ask(self._shard)

    def write(self, change: Change) -> None:
        """Apply a change; it survives a crash as soon as this returns.

        Raises:
            DiskFull: It would not fit.
        """
        require_room(self._folder, room_for(change.points, change.vectors))
        with self._writing:
            self.read(lambda shard: shard.update(change.operation))
            self._count(change)
            if self._journal is not None:
                self._journal.append(change)
            if self._unflushed >= _FLUSH_AFTER:
                self.flush()

    def set_vectors(self, points: Sequence[edge.PointVectors]) -> None:
        """Set vectors of those of these points that are there: Edge stops at the first that is not."""
        with self._writing:
            ids = [one.id for one in points]
            there = {found.id for found in self.read(lambda shard: shard.retrieve(ids, False, False))}
            known = [one for one in points if one.id in there]
            if known:
                self.write(Change(edge.UpdateOperation.update_vectors(known), len(known)))

    def flush(self) -> None:
        """Flush to disk and truncate the log."""
        with self._writing:
            self.read(lambda shard: shard.flush())
            self._unflushed = 0
            _write_state(self._folder, self._state)

    def reconfigure(self, config: models.CollectionConfig) -> None:
        """Take over other parameters; the graph follows when the collection is next optimised."""
        with self._optimizing, self._writing:
            require_room(self._folder, TO_OPEN)
            self.flush()
            with self._reading, edge_errors():
                path = str(self._folder / self._state.generation)
                self._shard.close()
                try:
                    self._shard = edge.EdgeShard.load(path, edge_config(config))
                except BaseException:
                    self._shard = edge.EdgeShard.load(path, edge_config(self.config))
                    raise
                self._state = self._state.model_copy(update={"config": config})
            _write_state(self._folder, self._state)

    def close(self) -> None:
        """Flush to disk and release the files; a running optimisation is aborted."""
        with self._starting:
            self._closed = True
            if self._optimizer is not None:
                self._optimizer.kill()
        with self._optimizing, self._writing:
            try:
                if self._unflushed:
                    self.flush()
            finally:  # the log has what could not be flushed
                with self._reading:
                    self._shard.close()

    # -----------------------------------------------------------------------------------------------------------------
    # Optimising

    def optimize(self) -> None:
        """Build the graph over what was written, and remove what was deleted.

        Searches and changes continue: a copy is optimised by another process, and what was changed since is
        done again to the copy before it takes over. Small collections are optimised in place, that is quicker.

        Raises:
            StoreUnavailable: The other process failed; the collection is as it was.
            DiskFull: There is no room for the copy.
        """
        require_room(self._folder, room_for_copies(self._folder, 2))
        with self._optimizing:
            if self.read(lambda shard: shard.info().points_count) < _AT_ONCE:
                self.read(lambda shard: shard.optimize())
                self._state.unoptimized = 0
            else:
                self._optimize_aside()
            self.flush()

    def scrub(self) -> None:
        """Erase removed points from the files: from the log, and from segments that still hold what was removed.

        The points of a small collection are copied to new files while changes wait. Otherwise searches and changes go
        on, as in `optimize`.

        Raises:
            StoreUnavailable: The other process failed; the collection is as it was.
            DiskFull: There is no room for the copy.
        """
        with self._optimizing:
            small = self.read(lambda shard: shard.info().points_count) < _AT_ONCE
            require_room(self._folder, room_for_copies(self._folder, 1 if small else 2))
            if small:
                self._rewrite()
            else:
                self._optimize_aside("--scrub")
            self.flush()

    def copy_to(self, folder: Path) -> None:
        """Copy the collection to ``folder`` as it is at this moment; changes wait until then."""
        with self._writing:
            self.flush()
            with edge_errors():
                self._copy_files(folder / self._state.generation)
                shutil.copyfile(self._folder / _STATE, folder / _STATE)

    def _copy_files(self, target: Path) -> None:
        shutil.copytree(self._folder / self._state.generation, target, copy_function=copy_with_holes)

    def _rewrite(self) -> None:
        generation = uuid4().hex
        target = self._folder / generation
        try:
            with self._writing:
                self._journal = []
                with edge_errors():
                    target.mkdir()
                    copy = edge.EdgeShard.create(str(target), edge_config(self.config))
                    self.read(lambda shard: copy_points(shard, copy))
                self._take_over(generation, copy)
        finally:
            self._journal = None
            if self._state.generation != generation:
                shutil.rmtree(target, ignore_errors=True)

    def _optimize_aside(self, *how: str) -> None:
        generation = uuid4().hex
        target = self._folder / generation
        try:
            with self._writing:
                self.flush()
                with edge_errors():
                    self._copy_files(target)
                self._journal = []
            self._run_optimizer(target, *how)
            dig_holes(target / "wal")
            with self._writing:
                with edge_errors():
                    optimized = edge.EdgeShard.load(str(target), edge_config(self.config))
                self._take_over(generation, optimized)
        finally:
            self._journal = None
            if self._state.generation != generation:
                shutil.rmtree(target, ignore_errors=True)

    def _run_optimizer(self, target: Path, *how: str) -> None:
        with self._starting:  # `close` ends what was started, and what was not started by then never is
            if self._closed:
                raise _given_up(_CLOSED)
            self._optimizer = subprocess.Popen(  # noqa: S603 - our own script, on our own folder
                [sys.executable, "-P", str(_OPTIMIZER), str(target), *how],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        _, output = self._optimizer.communicate()
        if code := self._optimizer.returncode:
            raise _given_up(_CLOSED if self._closed else (output.strip().splitlines() or [f"exit {code}"])[-1])

    def _take_over(self, generation: str, shard: edge.EdgeShard) -> None:
        """Bring the copy up to date, and make it the one that is used."""
        old, since = self._folder / self._state.generation, self._journal or []
        with edge_errors():
            for change in since:
                shard.update(change.operation)
            shard.flush()
        unoptimized = sum(change.points for change in since)
        state = self._state.model_copy(update={"generation": generation, "unoptimized": unoptimized})
        _write_state(self._folder, state)
        with self._reading:
            previous, self._shard, self._state = self._shard, shard, state
            previous.close()
        shutil.rmtree(old, ignore_errors=True)  # the next opening sweeps out what is left

    def _count(self, change: Change) -> None:
        self._unflushed += change.cost
        self._state.unoptimized += change.points


def cuts(points: Sequence[models.PointStruct], size: int) -> Iterator[tuple[int, int]]:
    """Yield where batches end that each take as long to write as ``size`` plain points, and how many vectors each
    has.
    """
    written = several = 0
    for end, point in enumerate(points, 1):
        given = point.vector.values() if isinstance(point.vector, Mapping) else (point.vector,)
        several += sum(len(one) for one in given if isinstance(one, list) and one and isinstance(one[0], list))
        written += 1
        if written + several // _VECTORS_OF_A_POINT >= size or end == len(points):
            yield end, several
            written = several = 0


@contextmanager
def edge_errors() -> Iterator[None]:
    """Say in the core's words what Edge, which raises bare exceptions, or the disk found wrong.

    Raises:
        InvalidRequest: Edge says that the request does not fit the collection.
        StoreUnavailable: Anything else went wrong.
    """
    try:
        yield
    except OSError as error:
        raise StoreUnavailable("the vector store", str(error)) from error
    except Exception as error:
        if type(error) is not Exception:
            raise
        if str(error).startswith(_FAULTS_OF_CALLERS):
            raise InvalidRequest(Problem("store", str(error))) from error
        raise StoreUnavailable("the vector store", f"{error}; {_ADVICE}") from error
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise StoreUnavailable("the vector store", f"Qdrant Edge failed: {error}; {_ADVICE}") from error


def _load(folder: Path) -> edge.EdgeShard:
    require_room(folder.parent, TO_OPEN)
    try:
        with edge_errors():
            return edge.EdgeShard.load(str(folder))
    except StoreUnavailable as error:
        if any(fault in error.detail for fault in _FAULTS_OF_MACHINES):
            raise
        cause = error.detail.removesuffix(f"; {_ADVICE}")
        raise StoreFilesDamaged("the vector store", f"{folder} is damaged ({cause})") from error


def _given_up(reason: str) -> StoreUnavailable:
    return StoreUnavailable("the vector store", f"optimising failed: {reason}")


def _read_state(folder: Path) -> State:
    try:
        return State.model_validate_json((folder / _STATE).read_bytes())
    except ValidationError as error:
        raise StoreFilesDamaged("the vector store", f"{folder / _STATE} is damaged") from error


def _write_state(folder: Path, state: State) -> None:
    """Replace the state in one step."""
    draft = folder / f"{_STATE}.new"
    with edge_errors():
        with draft.open("w", encoding="utf-8") as file:
            file.write(state.model_dump_json(exclude_none=True, indent=1))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / _STATE)

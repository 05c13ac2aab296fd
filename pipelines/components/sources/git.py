"""Reads Git repositories through the program ``git``, which has the credentials of its user."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pipelines.components.sources.items import Failed, Item, Remembered, SourceUnavailable
from pipelines.profile.sections.sources import GitSource

_SECONDS = 600
_LOOK_SECONDS = 0.2
_SETTINGS = (
    *("-c", "core.symlinks=false"),  # a link becomes a text
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.logAllRefUpdates=false"),  # former commits are not kept
    *("-c", "http.followRedirects=false"),
)
_REDIRECTING = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"})
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh"}


class Repository:
    """Reads a `GitSource`.

    Args:
        section: The repository.
        url: Where it is.
        clone: Folder of its clone, made when it is missing.
        most_bytes: Larger files are refused.
        takes: Whether the file at a path is wanted.
        tick: Called while git works; what it raises ends the work.
    """

    forgets = True

    def __init__(
        self,
        section: GitSource,
        url: str,
        clone: Path,
        *,
        most_bytes: int,
        takes: Callable[[str], bool],
        tick: Callable[[], None],
    ) -> None:
        self._section = section
        self._url = url
        self._clone = clone
        self._most_bytes = most_bytes
        self._takes = takes
        self._tick = tick

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """See `Source`."""
        self._update()
        listed = self._git("ls-tree", "-r", "-z", "--long", "HEAD", "--", self._section.folder, cwd=self._clone)
        for line in filter(None, listed.split("\0")):
            facts, _, path = line.partition("\t")
            mode, _, blob, size = facts.split()
            if not mode.startswith("100") or not self._takes(path):
                continue  # a link, another repository, or not wanted
            before = known.get(path)
            if before is not None and before.mark == blob:
                yield Item(path, before.path, None, blob)
            elif int(size) > self._most_bytes:
                yield Failed(path, f"it is over {self._most_bytes:,} bytes")
            else:
                yield Item(path, path, (self._clone / path).read_bytes(), blob)

    def _update(self) -> None:
        if (self._clone / ".git").is_dir() and self._origin() != self._url:
            shutil.rmtree(self._clone)
        if not (self._clone / ".git").is_dir():
            self._clone.mkdir(parents=True, exist_ok=True)
            self._git("init", "--quiet", str(self._clone))
            self._git("remote", "add", "--", "origin", self._url, cwd=self._clone)
        branch = self._section.branch or "HEAD"
        self._git("fetch", "--quiet", "--depth", "1", "--", "origin", branch, cwd=self._clone)
        before = self._git("rev-parse", "--verify", "HEAD", "--", cwd=self._clone, check=False)
        self._git("checkout", "--quiet", "--force", "--detach", "FETCH_HEAD", cwd=self._clone)
        if before != self._git("rev-parse", "--verify", "HEAD", "--", cwd=self._clone):
            self._git("gc", "--quiet", "--prune=now", cwd=self._clone)  # deleted texts go from the disk, too

    def _origin(self) -> str:
        return self._git("remote", "get-url", "origin", cwd=self._clone).strip()

    def _git(self, *arguments: str, cwd: Path | None = None, check: bool = True) -> str:
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell; what the profile says follows `--`
                ["git", *_SETTINGS, *arguments],  # noqa: S607 - the user's own git
                cwd=cwd,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogateescape",
                start_new_session=True,  # git starts programs of its own, which end with it
            )
        except FileNotFoundError:
            raise SourceUnavailable(self._section.name, "the program git is not installed") from None
        try:
            output, errors = self._output(process)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        if process.returncode and check:
            said = (errors.strip().splitlines() or [f"git ended with {process.returncode}"])[0]
            raise SourceUnavailable(self._section.name, said)
        return output

    def _output(self, process: subprocess.Popen[str]) -> tuple[str, str]:
        until = time.monotonic() + _SECONDS
        while True:
            try:
                return process.communicate(timeout=_LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                self._tick()
            if time.monotonic() > until:
                raise SourceUnavailable(self._section.name, f"git took longer than {_SECONDS} s")


def _environment() -> dict[str, str]:
    """Return the environment, without what would point git at another repository."""
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    return {**kept, **_ENVIRONMENT}

"""The copies of a tenant's sources: a folder for each, which is synchronised as a knowledge folder is."""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pathspec import GitIgnoreSpec

from pipelines.components.sources.copies import Copy, remembered_facts
from pipelines.components.sources.feed import Feed
from pipelines.components.sources.files import Files
from pipelines.components.sources.git import Repository
from pipelines.components.sources.items import Failed, Item, Source, SourceUnavailable, plain_path
from pipelines.components.sources.mail import Mailbox
from pipelines.components.sources.web import Web
from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.sections.sources import FeedSource, FileSource, GitSource, MailSource, WebSource
from pipelines.profile.sections.sources import Source as Section

_STATES = ".states"
_CLONES = ".clones"
_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
_ADDRESS = re.compile(r"[a-z0-9+]+://|[^/]+:")
"""An address, or HOST:PATH as ssh has it; anything else is a path."""
Tick = Callable[[], None]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fault:
    """A source (``key`` is empty) or an item of it that could not be read, and why."""

    source: str
    key: str
    reason: str


class Mirror:
    """Copies sources to a folder: hidden files of it are the mirror's own. Not thread-safe.

    Args:
        folder: The folder of all copies.
        sections: The sources.
        beside: The folder that paths in the profile are relative to.
        most_bytes: Larger files are refused.
    """

    def __init__(self, folder: Path, sections: Iterable[Section], beside: Path, most_bytes: int) -> None:
        self.folder = folder
        self._sections = tuple(sections)
        self._beside = beside
        self._most_bytes = most_bytes
        self._facts: dict[str, Mapping[str, str]] = {}
        self._complete: set[str] = set()
        self._kept: set[str] = set()
        self._replaced: dict[str, set[str]] = {}  # of sources that forget nothing

    @property
    def names(self) -> frozenset[str]:
        """The names of the sources, which are those of the copies' folders."""
        return frozenset(section.name for section in self._sections)

    def update(self, only: str | None = None, *, allow_empty: bool = False, tick: Tick = lambda: None) -> list[Fault]:
        """Bring every copy in line with its source; one that cannot be read keeps what it has.

        Args:
            only: The name of the only source to read.
            allow_empty: Whether a source from which documents came may hold nothing now.
            tick: Called again and again; what it raises ends the update, which the next one goes on with.

        Raises:
            InvalidRequest: There is no source of the name ``only``.
        """
        if only is not None and only not in self.names:
            raise InvalidRequest(Problem("source", f'there is no source "{only}"', nearest(only, self.names)))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._remove_former()
        self._complete, self._kept, self._replaced = set(), set(), {}
        faults: list[Fault] = []
        for section in self._sections:
            copy = Copy(self.folder / section.name, self.folder / _STATES / f"{section.name}.json")
            self._facts |= remembered_facts(copy.before or {}, section.name)
            if only in (None, section.name):
                faults += self._tried(section, copy, allow_empty, tick)
        return faults

    def metadata(self, path: str) -> Mapping[str, str]:
        """Return what the source said of the file at ``path``, which begins with the source's name."""
        return self._facts.get(path, {})

    def keeps(self, path: str) -> bool:
        """Return whether the document of a file that is not in the copies stays: nobody knows if its source has it."""
        name, _, file = path.partition("/")
        if path in self._kept or (name in self.names and name not in self._complete):
            return True
        return name in self._replaced and file not in self._replaced[name]  # the copy may be younger than the document

    def _tried(self, section: Section, copy: Copy, allow_empty: bool, tick: Tick) -> list[Fault]:
        try:
            return self._update(section, copy, allow_empty, tick)
        except SourceUnavailable as error:
            _log.warning("%s", error.message)
            return [Fault(section.name, "", error.message)]
        except OSError as error:
            unavailable = SourceUnavailable(section.name, f"its copy cannot be written: {error.strerror or error}")
            _log.warning("%s", unavailable.message)
            return [Fault(section.name, "", unavailable.message)]

    def _update(self, section: Section, copy: Copy, allow_empty: bool, tick: Tick) -> list[Fault]:
        source, faults = self._source(section, tick), []
        for number, found in enumerate(source.items(copy.known)):
            tick()
            if number >= section.most:
                faults.append(Fault(section.name, "", f"it has more than {section.most:,} items; raise `most`"))
                copy.keep_all()
                break
            failed = found if isinstance(found, Failed) else _put(copy, found)
            if failed is not None:
                faults.append(Fault(section.name, failed.key, failed.reason))
                lost = copy.keep(failed.key)
                self._kept.update([] if lost is None else [f"{section.name}/{lost}"])
        if not source.forgets:
            copy.keep_all()
            self._replaced[section.name] = copy.replaced()
        if copy.before and not copy.now and not allow_empty:
            detail = "it is empty now; to remove its documents, run `footnote sync` with --allow-empty"
            raise SourceUnavailable(section.name, detail)
        copy.finish()
        self._facts |= remembered_facts(copy.now, section.name)
        if copy.before is not None or not faults:
            self._complete.add(section.name)
        return faults

    def _source(self, section: Section, tick: Tick) -> Source:
        takes, most = _taken(section), self._most_bytes
        match section:
            case WebSource():
                return Web(section, most, takes, tick)
            case FeedSource():
                return Feed(section, most, takes, tick)
            case GitSource():
                clone = self.folder / _CLONES / section.name
                return Repository(section, self._place(section.url), clone, most_bytes=most, takes=takes, tick=tick)
            case FileSource():
                return Files(section, self._place(section.url), most, takes)
            case MailSource():
                return Mailbox(section, Path(self._place(section.path)), most, takes)

    def _place(self, written: str) -> str:
        """Return an address as it is written, and a path from the profile's folder on."""
        return written if _ADDRESS.match(written) else str(self._beside / os.path.expanduser(written))

    def _remove_former(self) -> None:
        """Remove copies of sources that the profile no longer names."""
        for place in (self.folder, self.folder / _CLONES, self.folder / _STATES):
            for entry in place.iterdir() if place.is_dir() else ():
                if not entry.name.startswith(".") and entry.name.removesuffix(".json") not in self.names:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _put(copy: Copy, item: Item) -> Failed | None:
    """Put an item into a copy; return why that failed."""
    path = plain_path(item.path)
    if path is None:
        return Failed(item.key, "its name cannot be kept: it leads out of the source, or is not valid text")
    try:
        copy.put(item if path == item.path else replace(item, path=path))
    except OSError as error:
        if error.errno in _OF_THE_DISK:
            raise
        return Failed(item.key, f"its file cannot be written: {error.strerror or error}")
    return None


def _taken(section: Section) -> Callable[[str], bool]:
    """Return whether a source's patterns take a path."""
    include = GitIgnoreSpec.from_lines(section.include) if section.include else None
    exclude = GitIgnoreSpec.from_lines(section.exclude)
    return lambda path: (include is None or include.match_file(path)) and not exclude.match_file(path)

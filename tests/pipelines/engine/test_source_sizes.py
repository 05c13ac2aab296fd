"""Files and messages that are too large: they are read no further than the limit."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec import AbstractFileSystem

from pipelines.components.sources.files import Files
from pipelines.components.sources.items import Failed, Item, SourceUnavailable, digest
from pipelines.components.sources.mail import Mailbox
from pipelines.profile.sections.sources import FileSource, MailSource


class LongFile(io.RawIOBase):
    """A file of 200 MB; counts what is read of it."""

    left = 200_000_000

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        size = min(len(into), LongFile.left)
        into[:size] = b"x" * size
        LongFile.left -= size
        return size


class UntoldSizes(AbstractFileSystem):
    """A store that does not tell the sizes of its files."""

    protocol = "untold"

    def find(self, path: str, *_: Any, **__: Any) -> dict[str, Any]:
        return {f"{path}/long.txt": {"name": f"{path}/long.txt", "type": "file", "size": None}}

    def _open(self, *_: Any, **__: Any) -> LongFile:
        return LongFile()


def test_a_file_whose_size_nobody_tells_is_read_to_the_limit() -> None:
    fsspec.register_implementation("untold", UntoldSizes, clobber=True)
    section = FileSource(name="store", kind="files", url="untold://kennel")
    assert list(Files(section, section.url, 1_000_000, lambda _: True).items({})) == [
        Failed("long.txt", "it is over 1,000,000 bytes")
    ]
    assert LongFile.left > 190_000_000


def test_a_large_message_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "archive.mbox"
    path.write_bytes(b"From a\nSubject: Walk\n\nAt nine.\n\nFrom b\nSubject: Large\n\n" + (b"x" * 999 + b"\n") * 40_000)
    box = Mailbox(MailSource(name="mail", kind="mbox", path=str(path)), path, 1_000_000, lambda _: True)
    tracemalloc.start()
    try:
        walk, large = box.items({})
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(walk, Item)
    assert walk.content == b"Subject: Walk\n\nAt nine.\n"
    assert isinstance(large, Failed)
    assert large.key == digest(path.read_bytes().partition(b"From b\n")[2])


def test_a_message_has_no_signs_of_the_mailbox(tmp_path: Path) -> None:
    path = tmp_path / "archive.mbox"
    path.write_bytes(b"From a\nSubject: Walk\n\n>From the pier it is near.\n")
    (walk,) = Mailbox(MailSource(name="mail", kind="mbox", path=str(path)), path, 1_000, lambda _: True).items({})
    assert isinstance(walk, Item)
    assert walk.content == b"Subject: Walk\n\nFrom the pier it is near.\n"


def test_a_mailbox_that_is_one_line_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "archive.mbox"
    path.write_bytes(b"x" * 40_000_000)
    box = Mailbox(MailSource(name="mail", kind="mbox", path=str(path)), path, 1_000_000, lambda _: True)
    tracemalloc.start()
    try:
        with pytest.raises(SourceUnavailable, match="it was cut off"):
            list(box.items({}))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()

"""Standard output that cannot be written, such as a file on a full disk: said on one line, without a traceback."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from typing_extensions import override


class OutputFailed(Exception):
    """Standard output cannot be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the output: {(error.strerror or str(error)).lower()}")


class _Output(io.TextIOWrapper):
    """A text stream that raises `OutputFailed` when it cannot be written. A closed pipe stays a `BrokenPipeError`."""

    @override
    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error) from error

    @override
    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error) from error


def prepared(stream: TextIO | None) -> TextIO | None:
    """Return the stream to print to; characters that its encoding lacks, such as surrogates, are escaped."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    return _Output(
        stream.buffer,
        stream.encoding,
        "backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def discard() -> None:
    """Drop what could not be written, which the interpreter would try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

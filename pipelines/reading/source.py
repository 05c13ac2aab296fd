"""What a reader is handed: the content as it came, and what to call it in an error."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.errors import CorruptDocument
from pipelines.reading.encoding import decode, normalised, without_overstrikes
from pipelines.reading.formats import Format
from pipelines.reading.page_help import PageHelper
from pipelines.reading.page_text import PageReader
from pipelines.reading.pictures import Gallery


@dataclass(frozen=True, slots=True)
class Source:
    """A content that is to be read as ``format``.

    ``charset`` is what its giver says of the encoding, ``ocr`` what reads pages without text, if anything does.
    ``guessed``: its format was not given, so a text taken for Markdown may be plain. ``gallery`` takes the pictures in
    it; None: they are not read. ``helper`` reads later pages at the same time, if anything does.
    """

    content: bytes | str
    format: Format
    charset: str | None = None
    ocr: PageReader | None = None
    guessed: bool = False
    gallery: Gallery | None = None
    helper: PageHelper | None = None

    def text(self, declared: str | None = None) -> str:
        """Return the characters, each line end a line feed; ``declared`` is what the bytes say of their encoding."""
        label = self.format.label
        if isinstance(self.content, str):
            return normalised(without_overstrikes(self.content.removeprefix("\ufeff")), label)
        return normalised(decode(self.content, label, self.charset or declared), label)

    def data(self) -> bytes:
        """Return the bytes of a file."""
        if isinstance(self.content, bytes):
            return self.content
        raise CorruptDocument(
            self.format.label, "text was given where the file's bytes are needed; upload the file itself"
        )

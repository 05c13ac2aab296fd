"""RTF: paragraphs, headings by their styles, lists, tables and footnotes.

A reader of our own, in one pass over the control words: the libraries for it give text without structure, and search
with patterns that a hostile file of 2 kB keeps busy for a minute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.markeditems import with_marked_items
from pipelines.reading.office.rtfwords import CHARACTERS, CHARSETS, IGNORED, SIGNS, codec_of_page
from pipelines.reading.properties import clean_title
from pipelines.reading.source import Source
from pipelines.reading.tables import heads_columns
from pipelines.reading.tidying import tidy
from pipelines.types import ParsedDocument

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_HEADING_STYLE = re.compile(r"\s*(?:heading|überschrift|titre|título)\s*(\d)", re.IGNORECASE)
_NUMBER = re.compile(r"\(?\w{1,6}[.)]")
# Where the text of a group goes, by its first word; "maybe" is nowhere unless a group within says otherwise.
_TARGETS = {
    "title": "title",
    "author": "author",
    "footnote": "footnote",
    "fonttbl": "fonttbl",
    "stylesheet": "stylesheet",
    "listtext": "label",
    "pntext": "label",
    "shptxt": "body",
    "info": "maybe",
}
_MOST_TOKENS = 5_000_000
_DEEPEST = 1000
_DEEPEST_HEADING = 6
_DEEPEST_LIST = 8


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds within a pair of braces: where its text goes, its font's codec, and what follows a character."""

    target: str = "body"
    codec: str = "cp1252"
    after_unicode: int = 1
    hidden: bool = False


@dataclass(slots=True)
class _Paragraph:
    """What is known of the paragraph that is being read."""

    style: int = -1
    outline: int = -1
    depth: int = 0
    in_table: bool = False


@dataclass(slots=True)
class _Tables:
    """The fonts' codecs and the styles' heading levels, by number."""

    fonts: dict[int, str] = field(default_factory=dict)
    headings: dict[int, int] = field(default_factory=dict)
    current_font: int = 0
    current_style: int = 0


def read(source: Source) -> ParsedDocument:
    """Return the text; the title is that of the document's properties, else the first heading's.

    Raises:
        CorruptDocument: It is no RTF, or nested beyond measure.
    """
    content = source.content
    text = content.decode("latin-1") if isinstance(content, bytes) else content
    if not text.startswith("{\\rtf"):
        raise CorruptDocument(source.format.label, "it does not begin as RTF does; give it its true name")
    written = Draft()
    reading = _Reading(written)
    reading.run(text)
    title = clean_title(reading.taken("title"))
    draft = Draft()
    draft.add_stored(with_marked_items(written.stored()))
    return draft.finish(source.format, title or draft.first_title(), {"author": reading.taken("author")})


class _Reading:
    """One pass over a file; texts are gathered by their target, and the body's are appended to the draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._groups: list[_Group] = []
        self._group = _Group()
        self._paragraph = _Paragraph()
        self._tables = _Tables()
        self._texts: dict[str, list[str]] = {}
        self._bytes = bytearray()
        self._skip = 0
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._notes: list[str] = []
        self._leads = False
        self._words: Mapping[str, Callable[[int | None], None]] = {
            "par": self._end_paragraph,
            "sect": self._end_paragraph,
            "page": self._end_paragraph,
            "cell": self._end_cell,
            "nestcell": self._end_cell,
            "row": self._end_row,
            "pard": lambda _: self._set_paragraph(_Paragraph()),
            "intbl": lambda _: self._set_paragraph(replace(self._paragraph, in_table=True)),
            "s": self._style,
            "outlinelevel": lambda level: self._set_paragraph(replace(self._paragraph, outline=level or 0)),
            "ilvl": lambda depth: self._set_paragraph(replace(self._paragraph, depth=min(depth or 0, _DEEPEST_LIST))),
            "f": self._font,
            "fcharset": self._charset,
            "ansicpg": lambda page: self._set_group(codec=codec_of_page(page or 1252)),
            "uc": lambda count: self._set_group(after_unicode=count if count is not None else 1),
            "u": self._unicode,
            "v": lambda on: self._set_group(hidden=on != 0),
            "deleted": lambda on: self._set_group(hidden=on != 0),
            "plain": lambda _: self._set_group(hidden=False),
        }

    def run(self, text: str) -> None:
        """Read the whole of a file."""
        place = read = 0
        while found := _TOKEN.match(text, place):
            place, read = found.end(), read + 1
            if read > _MOST_TOKENS:
                raise CorruptDocument("RTF", f"it has more than {_MOST_TOKENS:,} control words; split it")
            word, number, code, sign, brace, plain = found.groups()
            if code is None:
                self._decode()
            if word == "bin":
                place += max(int(number or 0), 0)
            elif word:
                self._word(word, int(number) if number else None)
            elif code:
                self._byte(int(code, 16))
            elif sign:
                self._sign(sign)
            elif brace:
                self._brace(brace)
            elif plain:
                self._plain(plain)
        self._decode()
        self._end_paragraph(None)
        self._end_table()

    def _word(self, word: str, number: int | None) -> None:
        self._skip = 0
        if word in IGNORED:
            self._set_group(target="")
        elif word in _TARGETS:
            self._set_group(target=_TARGETS[word] if self._group.target else "")
        elif word in self._words:
            self._words[word](number)
        elif word in CHARACTERS:
            self._put(CHARACTERS[word])

    def _sign(self, sign: str) -> None:
        self._skip = 0
        if sign == "*":
            self._set_group(target="maybe" if self._group.target else "")
        elif sign in "\r\n":
            self._end_paragraph(None)
        else:
            self._put(SIGNS.get(sign, ""))

    def _brace(self, brace: str) -> None:
        self._skip = 0
        if brace == "{":
            if len(self._groups) >= _DEEPEST:
                raise CorruptDocument("RTF", "its groups are nested too deeply")
            self._groups.append(self._group)
        elif self._groups:
            inner, self._group = self._group, self._groups.pop()
            if inner.target == "footnote" != self._group.target:
                self._notes.append(" ".join(self.taken("footnote").split()))

    def _plain(self, text: str) -> None:
        kept = text[self._skip :]
        self._skip = max(0, self._skip - len(text))
        try:
            shown = kept.encode("latin-1").decode(self._group.codec, errors="replace")
        except UnicodeEncodeError:  # a text that was given, and no bytes
            shown = kept
        self._put(shown)

    def _byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._bytes.append(byte)

    def _decode(self) -> None:
        if self._bytes:
            shown = self._bytes.decode(self._group.codec, errors="replace")
            self._bytes.clear()
            self._put(shown)

    def _unicode(self, number: int | None) -> None:
        code = (number or 0) % 0x10000
        self._put(chr(code))
        self._skip = self._group.after_unicode

    def _put(self, text: str) -> None:
        target = self._group.target
        if target == "fonttbl":
            return
        if target == "stylesheet":
            self._name_style(text)
        elif target not in ("", "maybe") and not self._group.hidden:
            self._texts.setdefault(target, []).append(text)

    def _set_group(
        self,
        target: str | None = None,
        codec: str | None = None,
        after_unicode: int | None = None,
        hidden: bool | None = None,
    ) -> None:
        now = self._group
        self._group = _Group(
            now.target if target is None else target,
            now.codec if codec is None else codec,
            now.after_unicode if after_unicode is None else min(max(after_unicode, 0), 10),
            now.hidden if hidden is None else hidden,
        )

    def _set_paragraph(self, paragraph: _Paragraph) -> None:
        self._paragraph = paragraph

    def _style(self, number: int | None) -> None:
        if self._group.target == "stylesheet":
            self._tables.current_style = number or 0
        else:
            self._set_paragraph(replace(self._paragraph, style=number or 0))

    def _name_style(self, name: str) -> None:
        found = _HEADING_STYLE.match(name)
        if found:
            self._tables.headings[self._tables.current_style] = max(1, min(int(found[1]), _DEEPEST_HEADING))
        elif name.strip(" ;").lower() == "title":
            self._tables.headings[self._tables.current_style] = 1

    def _font(self, number: int | None) -> None:
        if self._group.target == "fonttbl":
            self._tables.current_font = number or 0
        elif (number or 0) in self._tables.fonts:
            self._set_group(codec=self._tables.fonts[number or 0])

    def _charset(self, number: int | None) -> None:
        page = CHARSETS.get(number or 0)
        if page and self._group.target == "fonttbl":
            self._tables.fonts[self._tables.current_font] = codec_of_page(page)

    def taken(self, target: str) -> str:
        """Return the text gathered for a target, and start it again empty."""
        parts = self._texts.pop(target, None)
        if not parts:
            return ""
        text = "".join(parts)
        # Characters beyond the first 65,536 are written as two halves.
        whole = text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
        return tidy(whole).strip()

    def _end_paragraph(self, _: int | None) -> None:
        if self._group.target in ("footnote", "title", "author"):
            self._put("\n")
            return
        if self._paragraph.in_table:
            self._texts.setdefault("body", []).append(" ")
            return
        self._end_table()
        label, text = self.taken("label"), self.taken("body")
        level = self._heading_level()
        if level and text:
            self._draft.add_heading(level, text)
            self._leads = False
        elif label and text:
            self._add_item(label, text)
        else:
            self._draft.add(text)
            self._leads = bool(text)
        for note in self._notes:
            self._draft.add(f"Note: {note}" if note else "", "note", level=1)
        self._notes = []

    def _heading_level(self) -> int:
        """Return the level of the paragraph as a heading, 0 if it is not one; the outline's levels begin with 0."""
        if 0 <= self._paragraph.outline < _DEEPEST_HEADING:
            return self._paragraph.outline + 1
        return self._tables.headings.get(self._paragraph.style, 0)

    def _add_item(self, label: str, text: str) -> None:
        depth = self._paragraph.depth
        shown = label if _NUMBER.fullmatch(label) else "-"
        words = " ".join(text.split())
        self._draft.add(f"{'  ' * depth}{shown} {words}", "item", level=depth + self._leads)

    def _end_cell(self, _: int | None) -> None:
        self._cells.append(self.taken("body"))

    def _end_row(self, _: int | None) -> None:
        if self._cells:
            self._rows.append(self._cells)
        self._cells = []

    def _end_table(self) -> None:
        if self._cells:
            self._end_row(None)
        if self._rows:
            self._draft.add_table(self._rows, has_header=heads_columns(self._rows))
            self._rows, self._leads = [], False

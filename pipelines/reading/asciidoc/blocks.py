"""The blocks of AsciiDoc: sections, paragraphs, lists, admonitions, code, quotes and tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pipelines.reading.asciidoc.inline import shown
from pipelines.reading.asciidoc.lines import Line
from pipelines.reading.asciidoc.tables import table_of
from pipelines.reading.draft import Draft
from pipelines.types import BlockKind

_SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_ATTRIBUTES = re.compile(r"\[(?!\[)([^\[\]]{0,1000})\]$")
_ANCHOR = re.compile(r"\[\[[^\[\]]{1,200}\]\]$")
_TITLE = re.compile(r"\.(?![\s.])(.{1,1000})$")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)$")
_ADMONITIONS = ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|--|`{3}[\w+#,-]{0,30}|[|,:!]={3,})$")
_RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3})$")
_IMAGE = re.compile(r"(?:image|video|audio)::\S{0,1000}\[(.{0,1000})\]$")
_ITEM = re.compile(r"[ \t]*(?P<sign>\*{1,6}|-|\.{1,6}|\d{1,9}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>)[ \t]+(?P<text>\S.*)$")
_TERM = re.compile(r"[ \t]*(?P<term>\S.{0,500}?)(?P<sign>:{2,4}|;;)(?:[ \t]+(?P<text>\S.*))?$")
_BOX = re.compile(r"\[([ xX*])\][ \t]+")
_CODE_STYLES = ("source", "listing", "literal")
_DEEPEST = 8


class Blocks:
    """Appends lines to a draft as the blocks that they are.

    Args:
        draft: What is appended to.
        attributes: The values that ``{name}`` stands for.
    """

    def __init__(self, draft: Draft, attributes: Mapping[str, str]) -> None:
        self._draft = draft
        self._attributes = attributes

    def add(self, lines: Sequence[Line], level: int = 0, depth: int = 0) -> None:
        """Append the blocks of these lines, at a level and so deep in other blocks."""
        _Run(self, lines, level, depth).run()

    def words(self, text: str) -> str:
        """Return what a text shows."""
        return shown(text, self._attributes)

    def paragraph(self, lines: Sequence[str]) -> str:
        """Return lines as one paragraph; a line that ends in " +" stays one."""
        joined = "\n".join(lines)
        broken = (" ".join(self.words(part).split()) for part in re.split(r"[ \t]\+(?:\n|$)", joined))
        return "\n".join(filter(None, broken))

    def put(self, text: str, kind: BlockKind, level: int, line: int) -> bool:
        """Append a block, and return whether it holds anything."""
        span = self._draft.add(text, kind, level=level, line=line)
        return span.end > span.start

    def put_heading(self, level: int, title: str, line: int) -> None:
        """Append a heading."""
        self._draft.add_heading(level, self.words(title), line=line)

    def put_table(self, lines: Sequence[Line], attributes: str, delimiter: str, level: int) -> None:
        """Append the table between two delimiters."""
        table = table_of(lines, attributes, delimiter)
        rows = [[self.paragraph(cell.split("\n")) for cell in row] for row in table.rows]
        self._draft.add_table(rows, has_header=table.has_header, level=level, lines=table.lines)


class _Run:
    """Some lines that are read one block after the other.

    ``around`` are the signs of the lists around what is attached to an entry, and of none for other lines.
    """

    def __init__(
        self, blocks: Blocks, lines: Sequence[Line], level: int, depth: int, around: Sequence[str] = ()
    ) -> None:
        self._blocks = blocks
        self._lines = lines
        self._level = level
        self._depth = depth
        self._around = around
        self._at = 0
        self._attributes = ""  # the attributes of the block to come
        self._title: Line | None = None
        self._leads = False

    def run(self) -> None:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not self._is_about_a_block(line):
                self._read_block(line)
                self._attributes = ""

    def _is_about_a_block(self, line: Line) -> bool:
        """Take a line that is no block: an empty one, a rule, or the attributes of the block to come."""
        text = line.text
        attributes, title = _ATTRIBUTES.match(text), _TITLE.match(text)
        if attributes:
            self._attributes += f",{attributes[1]}" if self._attributes else attributes[1]
        elif title and self._next_is_text():
            self._title = Line(line.number, title[1])
        elif text and text != "+" and not _ANCHOR.match(text) and not _RULE.match(text):
            return False
        self._at += 1
        return True

    def _next_is_text(self) -> bool:
        return self._at + 1 < len(self._lines) and bool(self._lines[self._at + 1].text)

    def _read_block(self, line: Line) -> None:
        self._put_title()
        section = _SECTION.match(line.text)
        image = _IMAGE.match(line.text)
        if section:
            self._blocks.put_heading(len(section[1]), section[2], line.number)
            self._leads = False
            self._at += 1
        elif image:
            self._put_image(image[1], line.number)
        elif _DELIMITER.match(line.text):
            self._read_delimited(line)
        elif _begins_entry(line.text):
            self._read_list()
        else:
            self._read_paragraph(line)

    def _put_title(self) -> None:
        if self._title is not None:
            title = self._blocks.words(self._title.text)
            self._leads = self._blocks.put(" ".join(title.split()), "caption", self._level, self._title.number)
            self._title = None

    def _put_image(self, target: str, number: int) -> None:
        words = target.partition(",")[0].strip().strip('"')
        self._blocks.put(self._blocks.words(words) if "=" not in words else "", "caption", self._level, number)
        self._at += 1

    def _read_paragraph(self, line: Line) -> None:
        lines = self._taken_while_text()
        style = self._attributes.partition(",")[0]
        admonition = _ADMONITION.match(line.text)
        if line.text[:1] in " \t" or style in _CODE_STYLES:
            self._put_code([one.text for one in lines], line.number)
        elif admonition or style in _ADMONITIONS:
            texts = [admonition[2] if admonition else line.text, *(one.text for one in lines[1:])]
            name = (admonition[1] if admonition else style).capitalize()
            self._put(f"{name}: {self._blocks.paragraph(texts)}", "note", line.number)
        elif style != "comment":
            kind: BlockKind = "quote" if style in ("quote", "verse") else "paragraph"
            self._put(self._blocks.paragraph([one.text for one in lines]), kind, line.number)

    def _put(self, text: str, kind: BlockKind, number: int) -> None:
        if self._blocks.put(text, kind, self._level, number):
            self._leads = kind == "paragraph"

    def _put_code(self, lines: Sequence[str], number: int) -> None:
        indentation = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        code = "\n".join(line[indentation:] for line in lines).strip("\n")
        self._blocks.put(code, "code", self._level + self._leads, number)
        self._leads = False

    def _taken_while_text(self) -> list[Line]:
        """Take the lines of a paragraph: up to an empty one, a delimiter or the attributes of another block.

        What is attached to an entry also ends at the next entry.
        """
        start = self._at
        self._at += 1
        while self._at < len(self._lines):
            text = self._lines[self._at].text
            if _ends_paragraph(text) or (self._around and self._is_next_entry(text, self._lines[start].text)):
                break
            self._at += 1
        return list(self._lines[start : self._at])

    def _is_next_entry(self, text: str, first: str) -> bool:
        """Return whether a line begins an entry, and is no line of the code that begins with ``first``."""
        if self._attributes.partition(",")[0] in _CODE_STYLES or (first[:1] in " \t" and text[:1] in " \t"):
            return False
        return _begins_entry(text)

    def _read_delimited(self, line: Line) -> None:
        delimiter = "```" if line.text.startswith("```") else line.text
        inside = self._taken_until(delimiter)
        style = self._attributes.partition(",")[0].partition("%")[0]
        sign = line.text[:2]
        if sign.endswith("=") and line.text[0] in "|,:!":
            self._blocks.put_table(inside, self._attributes, line.text, self._level)
            self._leads = False
        elif sign in ("..", "``") or (sign == "--" and (len(line.text) > 2 or style == "source")):
            self._put_code([one.text for one in inside], line.number + 1)
        elif sign == "++" or style == "comment":
            return  # for programs, not for readers
        elif self._depth >= _DEEPEST:
            self._put(self._blocks.paragraph([one.text for one in inside]), "paragraph", line.number + 1)
        else:
            self._read_nested(inside, style, sign, line.number + 1)

    def _read_nested(self, inside: Sequence[Line], style: str, sign: str, number: int) -> None:
        if style in _ADMONITIONS:
            first, rest = _first_paragraph(inside)
            text = self._blocks.paragraph([line.text for line in first])
            self._blocks.put(f"{style.capitalize()}: {text}".rstrip(), "note", self._level, number)
            self._blocks.add(rest, self._level + 1, self._depth + 1)
            self._leads = False
        elif sign == "__" and not any(_begins_block(line.text) for line in inside):
            for paragraph in _paragraphs(inside):
                self._put(self._blocks.paragraph([one.text for one in paragraph]), "quote", paragraph[0].number)
        else:
            self._blocks.add(inside, self._level, self._depth + 1)

    def _taken_until(self, delimiter: str) -> list[Line]:
        start = self._at + 1
        end = start
        while end < len(self._lines) and self._lines[end].text != delimiter:
            end += 1
        self._at = end + 1
        return list(self._lines[start:end])

    def _read_list(self) -> None:
        base = self._level + self._leads
        kinds: list[str] = []  # the sign of each list around an item, the outermost first
        counts: list[int] = []
        while self._at < len(self._lines) and (line := self._next_entry()) is not None:
            item = _ITEM.match(line.text)
            sign = _kind_of_sign(item["sign"]) if item else _term_sign(line.text)
            if sign in self._around:
                break
            if sign in kinds:
                del kinds[kinds.index(sign) + 1 :], counts[kinds.index(sign) + 1 :]
            elif len(kinds) < _DEEPEST:
                kinds.append(sign)
                counts.append(0)
            counts[-1] += 1
            level = base + len(kinds) - 1
            if item:
                self._put_item(line, item, counts[-1], len(kinds) - 1, level)
            else:
                self._put_term(line, level)
            self._read_attached(level + 1, kinds)
        self._leads = False

    def _next_entry(self) -> Line | None:
        """Return the next line if it begins an entry of the list; empty lines between entries are passed over."""
        at = self._at
        while at < len(self._lines) and not self._lines[at].text:
            at += 1
        if at == len(self._lines):
            return None
        text = self._lines[at].text
        if _DELIMITER.match(text) or not _begins_entry(text):
            return None
        self._at = at
        return self._lines[at]

    def _put_item(self, line: Line, item: re.Match[str], count: int, depth: int, level: int) -> None:
        lines = self._taken_entry()
        text = self._blocks.paragraph([_BOX.sub("", item["text"]), *(one.text for one in lines[1:])])
        sign = item["sign"]
        label = f"{count}." if sign[0] in ".<" else (sign if sign[0] not in "*-" else "-")
        self._blocks.put(f"{'  ' * depth}{label} {' '.join(text.split())}", "item", level, line.number)

    def _put_term(self, line: Line, level: int) -> None:
        found = _TERM.match(line.text)
        lines = self._taken_entry()
        assert found is not None
        self._blocks.put(" ".join(self._blocks.words(found["term"]).split()), "term", level, line.number)
        texts = [found["text"] or "", *(one.text for one in lines[1:])]
        if not any(texts) and self._is_plain_next():
            self._at += 1
            texts = [one.text for one in self._taken_entry()]
        number = line.number if found["text"] else line.number + 1
        self._blocks.put(self._blocks.paragraph(texts), "definition", level + 1, number)

    def _is_plain_next(self) -> bool:
        """Return whether an empty line and then the paragraph of a term's definition follow."""
        if self._at + 1 >= len(self._lines) or self._lines[self._at].text:
            return False
        text = self._lines[self._at + 1].text
        return bool(text) and not _begins_block(text) and not _is_term(text)

    def _taken_entry(self) -> list[Line]:
        start = self._at
        self._at += 1
        while self._at < len(self._lines):
            text = self._lines[self._at].text
            if text == "+" or _ends_paragraph(text) or _begins_entry(text):
                break
            self._at += 1
        return list(self._lines[start : self._at])

    def _read_attached(self, level: int, kinds: Sequence[str]) -> None:
        """Read the blocks that a line with a plus sign attaches to an entry of the innermost of some lists."""
        around = (*self._around, *kinds)
        while self._at < len(self._lines) and self._lines[self._at].text == "+":
            start = self._at = self._at + 1
            inner = _Run(self._blocks, self._lines, level, self._depth + 1, around)
            inner._at = start
            inner.read_one()
            self._at = max(inner._at, start)

    def read_one(self) -> None:
        """Read a single block with its attributes."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not self._is_about_a_block(line):
                self._read_block(line)
                return


def _kind_of_sign(sign: str) -> str:
    """Return what entries of one list have in common: their sign, whatever their numbers."""
    if sign[0] in "*-.":
        return sign
    return "<" if sign[0] == "<" else ("1" if sign[0].isdigit() else "a")


def _term_sign(text: str) -> str:
    found = _TERM.match(text)
    return found["sign"] if found else ""


def _is_term(text: str) -> bool:
    found = _TERM.match(text) if "::" in text or ";;" in text else None
    return found is not None and not text.startswith(("image::", "include::", "video::", "audio::"))


def _begins_entry(text: str) -> bool:
    """Return whether a line begins an item of a list, or is a term."""
    return _ITEM.match(text) is not None or _is_term(text)


def _begins_block(text: str) -> bool:
    return any(one.match(text) for one in (_DELIMITER, _ITEM, _SECTION, _ATTRIBUTES, _IMAGE, _ADMONITION))


def _ends_paragraph(text: str) -> bool:
    return not text or text == "+" or any(one.match(text) for one in (_DELIMITER, _ATTRIBUTES, _ANCHOR, _IMAGE))


def _paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    paragraphs: list[list[Line]] = [[]]
    for line in lines:
        if line.text:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _first_paragraph(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
    """Return the lines of the paragraph that these begin with, and the others."""
    start = next((index for index, line in enumerate(lines) if line.text), len(lines))
    end = start
    while end < len(lines) and lines[end].text and not _begins_block(lines[end].text):
        end += 1
    return lines[start:end], lines[end:]

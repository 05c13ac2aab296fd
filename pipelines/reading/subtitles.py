"""Subtitles and transcripts of recordings (WebVTT, SubRip): what is said as paragraphs, each a page with its time.

WebVTT: https://www.w3.org/TR/webvtt1/. SubRip has no standard; the same lines are read of both.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_TIME = r"(-?)(?:(\d{1,6}) ?: ?)?(\d{1,2}) ?: ?(\d{1,2})(?: ?[.,:] ?\d{1,6})?"
_TIMES = re.compile(rf"\s*{_TIME}[ \t]*-->[ \t]*{_TIME}(?!\d)")
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?!\S)")
_TITLE = re.compile(r"WEBVTT[ \t]+-[ \t]+(\S.{0,200})")
_VOICE = re.compile(r"<(?:v(?:\.[^\s<>]{1,60})?(?:[ \t]([^<>]{0,100}))?|/v)>")
"""Where a voice begins, with its name, or ends."""
_MARKUP = re.compile(r"</?[A-Za-z0-9][^<>]{0,200}>|\{\\[^{}]{0,60}\}")
_LONG_NUMBER = re.compile(r"&#[0-9]{10,};?")
"""Of no character; Python refuses to read a number of thousands of digits."""
_NAMED = re.compile(r"([^\W\d_][\w.'\u2019-]{0,30}(?:,? [\w.'\u2019(][\w.'\u2019)-]{0,30}){0,4}):[ \t]+(?=\S)")
"""What a recorder of meetings writes in front of a cue: the name of its speaker."""
_CHANGE = re.compile(r"(?:>{2,3}|[-\u2013])[ \t]*(?=\S)")
"""What subtitles have in front of a line where another one speaks."""
_SENTENCE_END = tuple(".!?\u2026\u3002\uff01\uff1f\"')\u201d")
_PAUSE_S = 3
_LONG, _LONGEST = 500, 1000  # characters of a paragraph
_ROLLING_SHARE = 0.3
_MOST_ROLLED = 3  # lines


@dataclass(frozen=True, slots=True)
class _Cue:
    """Lines that are shown from one second to another; ``line`` is that of their time in the file, from 1."""

    line: int
    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Speech:
    """What one speaker says; the name is empty where the file gives none. ``begins``: another one spoke before."""

    line: int
    start: int
    end: int
    speaker: str
    text: str
    begins: bool = False

    def goes_on(self, following: _Speech) -> bool:
        """Return whether what follows belongs to the same paragraph."""
        if following.begins or following.speaker not in ("", self.speaker):
            return False
        if len(self.text) >= _LONGEST:
            return False
        is_rest = following.start - self.end >= _PAUSE_S or len(self.text) >= _LONG
        return not (is_rest and self.text.endswith(_SENTENCE_END))


def read(source: Source) -> ParsedDocument:
    """Return what is said, with the speakers' names where the file gives them.

    Raises:
        CorruptDocument: There are no times.
    """
    lines = source.text().split("\n")
    cues = list(_cues(lines))
    if not cues:
        label = source.format.label
        raise CorruptDocument(label, "no line has times (00:00:01.000 --> 00:00:04.000); as a text, call it .txt")
    draft = Draft()
    _add(draft, _paragraphs(_speeches(_without_repeated(cues))))
    titled = _TITLE.match(lines[0].removeprefix("\ufeff"))
    return draft.finish(source.format, titled[1].strip() if titled else None)


def _cues(lines: Sequence[str]) -> Iterator[_Cue]:
    at = 0
    while at < len(lines):
        times = _TIMES.match(lines[at])
        at += 1
        if times is None:
            continue
        first = at
        while at < len(lines) and not _TIMES.match(lines[at]):
            at += 1
        shown = [line.strip() for line in lines[first:at]]
        if at < len(lines) and shown and (shown[-1].isdigit() or (len(shown) > 1 and not shown[-2])):
            shown.pop()  # the name of the next cue; before a number no empty line is needed
        yield _Cue(first, _seconds(times, 1), _seconds(times, 5), tuple(_without_comments(shown)))


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are not empty, without the comments of WebVTT: people write empty lines into their cues."""
    before, is_comment = "of the cue", False
    for line in lines:
        is_comment = bool(line) and (is_comment or (not before and _COMMENT.match(line) is not None))
        if line and not is_comment:
            yield line
        before = line


def _seconds(times: re.Match[str], group: int) -> int:
    sign, hours, minutes, seconds = times.group(*range(group, group + 4))
    return 0 if sign else int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)


def _without_repeated(cues: Sequence[_Cue]) -> Iterator[_Cue]:
    """Yield the cues without lines that the one before has shown, where a file scrolls its lines up."""
    plain = [replace(cue, lines=tuple(filter(None, map(_plain, cue.lines)))) for cue in cues]
    plain = [cue for cue in plain if cue.lines]
    repeated = sum(before.lines[-1] == cue.lines[0] for before, cue in pairwise(plain))
    if repeated < _ROLLING_SHARE * len(plain):
        yield from cues
        return
    before: tuple[str, ...] = ()
    for cue in plain:
        most = min(len(before), len(cue.lines), _MOST_ROLLED)
        known = next((n for n in range(most, 0, -1) if before[-n:] == cue.lines[:n]), 0)
        if cue.lines[known:]:
            yield replace(cue, lines=cue.lines[known:])
        before = cue.lines


def _plain(text: str) -> str:
    return " ".join(html.unescape(_LONG_NUMBER.sub("", _MARKUP.sub("", text))).split())


def _speeches(cues: Iterable[_Cue]) -> list[_Speech]:
    parts = [part for cue in cues for part in _parts_of(cue)]
    found = [match[1] for part in parts if not part.speaker and (match := _NAMED.match(part.text))]
    least = 1 if len(found) > 1 and len(found) == len(parts) else 2
    names = {name for name, count in Counter(found).items() if count >= least}
    return [_with_name(part, names) for part in parts]


def _parts_of(cue: _Cue) -> Iterator[_Speech]:
    """Yield what is said in a cue: a part for each voice that it names, and for each line where the speaker changes."""
    voices = _VOICE.split("\n".join(cue.lines))
    for number, (speaker, shown) in enumerate(zip(["", *voices[1::2]], voices[::2], strict=True)):
        is_unknown = number > 0 and not (speaker and speaker.strip())  # after a voice, or in one without a name
        said: list[tuple[bool, list[str]]] = []
        for line in filter(None, map(_plain, shown.split("\n"))):
            changed = _CHANGE.match(line)
            if changed or not said:
                said.append((changed is not None or (is_unknown and not said), []))
            said[-1][1].append(line[changed.end() :] if changed else line)
        for begins, words in said:
            yield _Speech(cue.line, cue.start, cue.end, _plain(speaker or ""), " ".join(words), begins)


def _with_name(part: _Speech, names: Set[str]) -> _Speech:
    """Return a part with the name in front of its text as its speaker.

    ``names``: what several parts have there, or, where every part has something, all of it: "Note: ..." is no name.
    """
    found = None if part.speaker else _NAMED.match(part.text)
    if found is None or found[1] not in names:
        return part
    return replace(part, speaker=found[1], text=part.text[found.end() :])


def _paragraphs(speeches: Iterable[_Speech]) -> Iterator[_Speech]:
    current: _Speech | None = None
    for speech in speeches:
        if current is not None and current.goes_on(speech):
            current = replace(current, end=speech.end, text=f"{current.text} {speech.text}")
            continue
        if current is not None:
            yield current
        # Who spoke goes on speaking until another one is named.
        speaker = speech.speaker or (current.speaker if current is not None and not speech.begins else "")
        current = replace(speech, speaker=speaker)
    if current is not None:
        yield current


def _add(draft: Draft, paragraphs: Iterable[_Speech]) -> None:
    """Append the paragraphs, each a page with the time of its first words as the label."""
    for number, paragraph in enumerate(paragraphs, start=1):
        text = f"{paragraph.speaker}: {paragraph.text}" if paragraph.speaker else paragraph.text
        span = draft.add(text, line=paragraph.line)
        draft.add_page(span, number, _clock(paragraph.start))


def _clock(second: int) -> str:
    hours, minutes = second // 3600, second // 60 % 60
    return f"{hours}:{minutes:02}:{second % 60:02}" if hours else f"{minutes}:{second % 60:02}"

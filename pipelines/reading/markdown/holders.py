"""Components of MDX that hold others: tabs get their labels, steps their numbers, and code in groups its titles."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

_HOLDERS = frozenset({"Tabs", "Steps", "CodeGroup"})
_TABS = frozenset({"Tab", "TabItem"})
_LABELS = re.compile(r"\bitems\s*=\s*\{\s*\[([^\[\]]*)\]")
_LABEL = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_FENCE = re.compile(r"([ \t]*)(?:`{3,}|~{3,})[ \t]*[\w+#.-]{1,40}[ \t]+(\S.{0,300})")
_TITLE = re.compile(r"\b(?:title|filename)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_SETTING = re.compile(
    r"\{[^{}]*\}|[\w-]+=(?:\"[^\"]*\"|'[^']*'|\S*)|\b(?:copy|expandable|lines|showLineNumbers|wrap)\b"
)
_INSET = 4
_DEEPEST = 8


@dataclass(slots=True)
class _Holder:
    """A component that is open: its column, the labels of its tabs still to come, and how many steps it has."""

    name: str
    column: int
    labels: list[str] = field(default_factory=list)
    count: int = 0


class Holders:
    """The components around a line that hold others."""

    def __init__(self) -> None:
        self._open: list[_Holder] = []

    @property
    def margin(self) -> int:
        """How many columns what stands in steps is moved to the right, to belong to their items."""
        return _INSET * sum(holder.name == "Step" for holder in self._open)

    def open(self, name: str, attributes: str, column: int) -> None:
        """Record that a component begins."""
        if name in _HOLDERS and len(self._open) < _DEEPEST:
            found = _LABELS.search(attributes) if name == "Tabs" else None
            labels = [double or single for double, single in _LABEL.findall(found[1])] if found else []
            self._open.append(_Holder(name, column, labels[::-1]))

    def close(self, name: str) -> bool:
        """Record that a component ends, with those in it that did not; return whether it was open."""
        places = [place for place, holder in enumerate(self._open) if holder.name == name]
        if places:
            del self._open[places[-1] :]
        return bool(places)

    def label(self, name: str) -> str:
        """Return what the tabs around a tab call it; empty where they do not."""
        holder = self._open[-1] if self._open else None
        is_tab = name.rpartition(".")[2] in _TABS and holder is not None and holder.name == "Tabs"
        return holder.labels.pop() if is_tab and holder is not None and holder.labels else ""

    def step(self, title: str, *, has_end: bool) -> list[str] | None:
        """Return the lines of the item that a step is, what it holds follows with a margin; None outside of steps."""
        holder = self._open[-1] if self._open else None
        if holder is None or holder.name != "Steps" or not title or len(self._open) >= _DEEPEST:
            return None
        holder.count += 1
        if has_end:
            self._open.append(_Holder("Step", holder.column))
        sign = f"{holder.count}.".ljust(_INSET)
        return ["", f"{' ' * holder.column}{sign}{html.escape(title, quote=False)}", ""]

    def code_title(self, line: str) -> list[str]:
        """Return the lines above code in a group that show its title; ``line`` is the fence that opens it."""
        found = _FENCE.fullmatch(line) if self._open and self._open[-1].name == "CodeGroup" else None
        if found is None:
            return []
        named = _TITLE.search(found[2])
        title = (named[1] or named[2]) if named else " ".join(_SETTING.sub(" ", found[2]).split())
        return captioned(title, found[1]) if title else []


def captioned(title: str, indent: str = "") -> list[str]:
    """Return the lines that show a title above what it names."""
    return ["", f"{indent}<figcaption>{html.escape(html.unescape(title))}</figcaption>", ""]

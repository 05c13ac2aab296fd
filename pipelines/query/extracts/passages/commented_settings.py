"""Settings with their comments in code that is too long to be shown whole, such as a sample of a file of settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent

from pipelines.types import Span

_COMMENT = re.compile(r"\s*(?:#(?!!)|//|;)[#/;\s]*[^\W_]")
_SETTING = re.compile(r"\s*(?:-\s)?(?:\[\s*)?[\"']?[A-Za-z_][\w./-]{0,80}[\"']?\s{0,20}[:=](?!=)")
"""A key before its value, in the brackets of what is optional or not: "tide: 5", "[ tide: <number> | default = 5 ]"."""
_MOST_LINES = 12
"""Of a setting and its comment."""
_MOST_SETTINGS = 400
_FEWEST = 2
"""Settings with comments in a file of settings; code of other kinds may have one."""


def commented_settings(text: str, span: Span) -> list[tuple[Span, str]]:
    """Return the settings in a stretch of code that stand below comments, each with its comment and its place.

    Programs have comments too, but hardly any above lines that begin with a key.
    """
    found = list(islice(_settings(text, span), _MOST_SETTINGS))
    return found if len(found) >= _FEWEST else []


def _settings(text: str, span: Span) -> Iterator[tuple[Span, str]]:
    comment: list[str] = []
    start = at = span.start
    for line in text[span.start : span.end].splitlines(keepends=True):
        if _COMMENT.match(line):
            start = start if comment else at
            comment.append(line)
        else:
            if 0 < len(comment) < _MOST_LINES and _SETTING.match(line):
                yield Span(start, at + len(line.rstrip())), dedent("".join((*comment, line))).rstrip()
            comment = []
        at += len(line)

"""Where something is: in a folder, behind a door, under a menu. A place need not have a name.

The rules are for English.
"""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\bwhere\b(?!\s+(?:did|do|does|has|have|is|are|was|were)\s+(?:[\w'-]+\s+){1,6}?(?:born|buried|come|die|grow|live"
    r"|originate|study|work)\b)",
    re.IGNORECASE,
)
"""A name says where people were born and where things come from."""
_SPOTS = (
    "archive|attic|basement|bay|bench|board|bottom|box|branch|building|cabinet|car\\s+park|cellar|chapter|column|corridor"
    "|counter|cupboard|database|desk|dialog|directory|door|drawer|entrance|field|file|floor|folder|fridge|garage|gate"
    "|hall|header|hook|hut|kitchen|lobby|locker|lounge|menu|office|page|pane|panel|path|preferences|rack|reception"
    "|registry|repository|room|root|safe|screen|section|settings|shed|shelf|sidebar|sink|store|storeroom|street|tab|table"
    "|toolbar|top|wall|wardrobe|warehouse|window|workshop|yard"
)
_PLACE = re.compile(
    r"\b(?:above|behind|below|beneath|beside|between|inside|near|next\s+to|opposite|outside|under|underneath|in\s+front\s+of"
    r"|on\s+top\s+of|(?:to\s+the\s+)?(?:left|right)\s+of)\s+(?:an?|each|every|its|my|our|that|the|their|this|your)\s+([\w-]+)"
    r"|\b(?:at|from|in|into|on|onto|to|via)\s+(?:(?:an?|each|every|its|my|our|that|the|their|this|your)\s+)?"
    rf"(?:[\w'&/-]+\s+){{0,3}}?({_SPOTS})s?\b"
    r"|(?<![\w/.])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@%$-]+){1,9}|(?<![\w/-])(?:[\w-]{1,40}/){1,9}[\w-]{1,40}\.[a-z]\w{0,5}\b"
    r"|(?<=\w)@[\w-]{1,60}\.\w|\bhttps?://\S",
    re.IGNORECASE,
)


def asks_where(question: str) -> bool:
    """Return whether a question asks where a thing is, is done or goes."""
    return _ASKS.search(question) is not None


def tells_where(text: str, question: str) -> bool:
    """Return whether a text tells a place that the question does not: a spot, a path or an address."""
    asked = question.lower()
    told = ((found[1] or found[2] or found[0]).lower() for found in _PLACE.finditer(text))
    return any(place not in asked for place in told)

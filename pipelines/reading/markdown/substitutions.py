"""MyST's substitutions: the values that a page's front matter gives to the names in ``{{ name }}``.

A name that it does not give is left as it is written: its value stands in a file of the site's, and the name alone
would read as a word of the sentence. What stands in code is no substitution.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

KIND = "substitution"
"""The type of the token that holds those of a value."""
_PLACE = re.compile(r"\{\{ *([A-Za-z_][\w-]{0,80}) *\}\}")
_LONGEST = 300
"""Characters of a value; a page may name it thousands of times."""


def substitutions_in(frontmatter: str) -> dict[str, str]:
    """Return the values of one line, by name, that front matter gives under ``substitutions`` or ``myst``."""
    if "substitutions" not in frontmatter:
        return {}
    try:
        found: Any = yaml.load(frontmatter, Loader=yaml.BaseLoader)  # noqa: S506 - makes texts, lists and mappings
    except (yaml.YAMLError, RecursionError):  # who reads the metadata reports it
        return {}
    of_myst = _mapping(_mapping(found).get("myst")).get("substitutions")
    given = {**_mapping(_mapping(found).get("substitutions")), **_mapping(of_myst)}
    texts = {str(name): value.strip() for name, value in given.items() if isinstance(value, str)}
    return {name: value for name, value in texts.items() if "\n" not in value and len(value) <= _LONGEST}


def add_substitutions(parser: MarkdownIt) -> None:
    """Teach a parser to put values in the place of names; see `environment`."""
    parser.inline.ruler.before("escape", KIND, _substitute)


def environment(parser: MarkdownIt, values: Mapping[str, str]) -> dict[str, Any]:
    """Return what a parser is given to know ``values``, which are Markdown; names in them are left as they are."""
    return {KIND: {name: parser.parseInline(value, {})[0].children for name, value in values.items()}}


def _substitute(state: StateInline, silent: bool) -> bool:
    """Put a value in the place of its name. A rule for markdown-it."""
    known: Mapping[str, Any] = state.env.get(KIND) or {}
    found = _PLACE.match(state.src, state.pos, state.posMax) if known else None
    if found is None or found[1] not in known:
        return False
    if not silent:
        state.push(KIND, "", 0).children = known[found[1]]
    state.pos = found.end()
    return True


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, dict) else {}

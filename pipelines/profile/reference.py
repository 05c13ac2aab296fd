"""Writes ``configs/README.md``: every key that a profile may have, from the schema.

``python -m pipelines.profile.reference > configs/README.md`` brings the file up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from pipelines.profile.issues import Steps, format_path
from pipelines.profile.places import Model, alternatives, choices, models_in, tag_of
from pipelines.profile.schema import Profile

_HEAD = """\
# Profiles

<!-- Written by `python -m pipelines.profile.reference`; a test compares them. Change the schema, not this file. -->

A profile is one YAML file that describes one tenant. Where a command takes a PROFILE, give

- a tenant's folder, whose file is `profile.yaml`,
- a YAML file, or
- the name of a folder in `configs/` (or of a YAML file there, without its ending).

`embedded.yaml` and `server.yaml` are bases to extend; the first can be used as it is. `footnote check PROFILE` lists
all problems of a profile, each with its path and the nearest known name:

    retrieval -> fusoin: unknown key, did you mean "fusion"?

**Base.** `extends: ../embedded.yaml` names a base, relative to the profile's folder; a base may extend another one.
Sections merge key by key. Lists are replaced as a whole, and so is a section with another `provider` or `engine`. Keys
that no file gives have the defaults below.

**Paths.** Relative paths in a profile and in its base start at the profile's folder. Files of
synonyms and names that are not there are looked for beside the base.

**Environment.** `${NAME}` is the value of an environment variable, which must be set and not empty. `${NAME:-default}`
gives a default; `${NAME:-}` leaves an optional key out. Between `{ }` and `[ ]` put it in
quotes: `{url: "${QDRANT_URL}"}`. Numbers and booleans may come from the environment too.

**Secrets** (`secret`, `secrets`, `api_key`, `catalogue -> url`, `headers`, and `env` of tools) are written only as
`${NAME}`, without a default and without anything around it. They are masked wherever a profile is shown.

**YAML.** `no`, `off`, dates and `12:30` are text here. Only `true` and `false` are booleans; put a number that is meant
as text in quotes. Duplicate keys and tags (`!name`) are refused.

No key is silently ignored: unknown and unsupported keys are errors.

In the tables, NAME in a path stands for a name of your own (lower-case letters, digits and underscores), and N for a
position in a list, counted from 0.
"""
_MOST_USED = (
    "tenant",
    "title",
    "contract",
    "knowledge -> path",
    "knowledge -> sync",
    "metadata -> fields -> NAME -> type",
    "metadata -> fields -> NAME -> values",
    "chunking -> splitter",
    "chunking -> size",
    "chunking -> overlap",
    "embedding -> model",
    "retrieval -> mode",
    "retrieval -> top_k",
    "rerank -> N -> type",
    "llm -> provider",
    "llm -> model",
    "llm -> base_url",
    "answer -> abstain_below",
    "auth -> keys -> N -> secret",
    "auth -> keys -> N -> role",
)
_EXTENDS = "| `extends` | path | not set | YAML file that this one is laid over |"


class _Row(NamedTuple):
    key: str
    value: str
    default: str
    meaning: str


def reference() -> str:
    """Return the text of ``configs/README.md``."""
    plain = [_row((name,), field) for name, field in Profile.model_fields.items() if not _sections(field)]
    parts = [_HEAD, *_most_used(), "## The tenant\n", *_table(plain, _EXTENDS)]
    for name, field in Profile.model_fields.items():
        if _sections(field):
            parts += _section(name, field)
    return "\n".join(parts)


def main() -> None:
    """Print the reference."""
    sys.stdout.write(reference())


def _most_used() -> Iterator[str]:
    yield "## The keys that most profiles need\n"
    yield "The sections below list all keys. Most profiles need no more than these and `extends`.\n"
    rows: dict[str, _Row] = {}
    for name, field in Profile.model_fields.items():
        found = _section_rows(name, field) if _sections(field) else [_row((name,), field)]
        for row in found:
            rows.setdefault(row.key, row)
    yield from _table([rows[_code(key)] for key in _MOST_USED])


def _section_rows(name: str, field: FieldInfo) -> Iterator[_Row]:
    """The rows of all kinds of a section, the first with the key that chooses the kind."""
    models, path = _sections(field), (name, *_between(field))
    tag = tag_of(models)
    if tag is not None:
        values = ", ".join(_code(choices(model.model_fields[tag].annotation)[0]) for model in models)
        default = getattr(field.get_default(call_default_factory=True), tag, None)
        meaning = f"the kind; see [{name}](#{name})"
        yield _Row(_code(format_path((*path, tag))), values, _code(default) if default else "not set", meaning)
    for model in models:
        yield from _rows(model, path)


def _section(name: str, field: FieldInfo) -> Iterator[str]:
    models = _sections(field)
    tag = tag_of(models)
    yield f"## {name}\n"
    if tag is None:
        yield _sentence(models[0])
        yield from _table([*_rows(models[0], (name,))])
        return
    path: Steps = (name, "N") if _is_list(field) else (name,)
    default = getattr(field.get_default(call_default_factory=True), tag, None)
    yield _introduction(field, _code(format_path((*path, tag))), default)
    common = [row for row in _rows(models[0], path) if all(row in _rows(model, path) for model in models)]
    if common:
        yield f"Whatever the {tag}:\n"
        yield from _table(common)
    for model in models:
        yield from _variant(model, path, tag, common)


def _introduction(field: FieldInfo, tag: str, default: str | None) -> str:
    of_what, nothing = (" of each stage", "no stage") if _is_list(field) else ("", "no such section")
    otherwise = _code(default) if default else nothing
    meaning = (field.description or "").capitalize()
    return f"{meaning}. {tag} chooses the kind{of_what}. Default: {otherwise}.\n"


def _variant(model: Model, path: Steps, tag: str, common: list[_Row]) -> Iterator[str]:
    name = choices(model.model_fields[tag].annotation)[0]
    rows = [row for row in _rows(model, path) if row not in common and row.key != _code(format_path((*path, tag)))]
    yield f"### {path[0]}: `{tag}: {name}`\n"
    yield _sentence(model)
    yield from _table(rows) if rows else ["It has no other keys.\n"]


def _rows(model: Model, path: Steps) -> Iterator[_Row]:
    for name, field in model.model_fields.items():
        here, below = (*path, name), _sections(field)
        if not below or (not field.is_required() and field.default is None):
            yield _row(here, field)
        nested = (row for model in below for row in _rows(model, (*here, *_between(field))))
        yield from dict.fromkeys(nested)  # keys that all kinds of a section share are listed once


def _between(field: FieldInfo) -> Steps:
    """Return what stands in a path between a field and the keys of the sections in it."""
    origins = [get_origin(one) for one in alternatives(field.annotation)]
    return ("NAME",) if dict in origins else ("N",) if tuple in origins else ()


def _is_list(field: FieldInfo) -> bool:
    return _between(field) == ("N",)


def _sections(field: FieldInfo) -> tuple[Model, ...]:
    """Return the sections in a field: its own, or those that its list or mapping holds."""
    inner = [
        get_args(one)[-1 if get_origin(one) is dict else 0] for one in alternatives(field.annotation) if get_args(one)
    ]
    return models_in(field.annotation) or tuple(model for one in inner for model in models_in(one))


def _row(path: Steps, field: FieldInfo) -> _Row:
    kind = _kind(field.annotation, field.metadata)
    return _Row(_code(format_path(path)), kind, _default(field), field.description or "")


def _table(rows: list[_Row], *before: str) -> Iterator[str]:
    yield "| key | value | default | meaning |"
    yield "|---|---|---|---|"
    yield from before
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _kind(annotation: Any, metadata: list[Any]) -> str:
    return " or ".join(_one_kind(one, metadata) for one in alternatives(annotation))


def _one_kind(one: Any, metadata: list[Any]) -> str:
    if choices(one):
        return ", ".join(_code(name) for name in choices(one))
    arguments = get_args(one)
    if get_origin(one) is tuple:
        return f"list of {_kind(arguments[0], [])}" if Ellipsis in arguments else "[least, most]"
    if get_origin(one) is dict:
        return f"mapping of {_kind(arguments[0], [])} to {_kind(arguments[1], [])}"
    if models_in(one):
        return "section"
    words = {bool: "`true`, `false`", int: "whole number", float: "number", Path: "path", SecretStr: "secret"}
    return words.get(one, "text") + _range(metadata)


def _range(metadata: list[Any]) -> str:
    words = {"ge": "at least", "gt": "more than", "le": "at most"}
    found = {name: getattr(item, name) for item in metadata for name in words if hasattr(item, name)}
    if {"ge", "le"} <= found.keys():
        return f", {found['ge']} to {found['le']}"
    return "".join(f", {words[name]} {limit}" for name, limit in found.items())


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return "must be given"
    if default in (None, SecretStr(""), {}):
        return "not set"
    return _code(_yaml(to_jsonable_python(default)))


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_yaml(item) for item in value)}]"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _code(text: str) -> str:
    return f"`{text}`"


def _sentence(model: Model) -> str:
    return (model.__doc__ or "").split("\n\n")[0] + "\n"


if __name__ == "__main__":
    main()

"""Validates a profile's tree, and lists all of its issues in the user's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails

from pipelines.errors import nearest
from pipelines.profile.consistency import inconsistencies
from pipelines.profile.environment import EnvironmentText
from pipelines.profile.issues import ProfileIssue, Steps
from pipelines.profile.places import Model, Place, choices, chosen, models_in, place_at, secret_places, tag_of, walk
from pipelines.profile.plugins import profile_type
from pipelines.profile.schema import Profile

_NEAR = 0.8  # one letter of six
_MAPPING_TYPES = ("dict_type", "model_type", "model_attributes_type")
_MESSAGES = {
    "missing": "must be given",
    "string_too_short": "must not be empty",
    "string_too_long": "must be at most {max_length} characters",
    "too_short": "must not be empty",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt:.15g}",
    "greater_than_equal": "must be at least {ge:.15g}",
    "less_than_equal": "must be at most {le:.15g}",
    **dict.fromkeys(_MAPPING_TYPES, "must be a mapping of keys to values"),
    "tuple_type": "must be a list",
    "path_type": "must be text, the path of a file or folder",
}
_MESSAGES_BY_FAMILY = {
    "int": "must be a whole number",
    "float": "must be a number",
    "bool": "must be true or false",
    "string": "must be text",
}


def validate(tree: dict[str, Any]) -> tuple[Profile | None, list[ProfileIssue]]:
    """Return the profile that ``tree`` describes, and its issues; the profile counts only without issues."""
    secrets = secret_places(tree)
    found = [*_faults(tree), *_plain_secrets(tree, secrets), *unknown_keys(tree)]
    try:
        profile = profile_type().model_validate(_plain(tree, secrets))
    except ValidationError as error:
        found += [issue for detail in error.errors(include_url=False) if (issue := _issue(detail, tree)) is not None]
        return None, _each_once(found)
    return profile, _each_once([*found, *inconsistencies(profile)])


def unknown_keys(tree: dict[str, Any]) -> Iterator[ProfileIssue]:
    """Yield the unknown keys, each with the nearest known one, or in a section with all where none is near."""
    for place in walk(tree):
        models = models_in(place.annotation)
        if models and isinstance(place.value, dict):
            yield from _unknown_in(place, models)


def _unknown_in(place: Place, models: tuple[Model, ...]) -> Iterator[ProfileIssue]:
    tag, here = tag_of(models), _keys(chosen(models, place.value)) + (["extends"] if place.path == () else [])
    elsewhere = [key for key in _keys(models) if key not in here]
    meant = {key: _meant(key, here, elsewhere) for key in place.value if key not in here}
    tag_misspelt = tag is not None and any(name == tag for name in meant.values())
    for key, name in meant.items():
        if name not in elsewhere:
            known = f"; its section has {', '.join(here)}" if name is None and place.path else ""
            yield ProfileIssue((*place.path, key), f"unknown key{known}", name)
        elif not (tag_misspelt and key in elsewhere):
            yield ProfileIssue((*place.path, key), f'unknown key with {tag} "{place.value.get(tag)}"')


def _meant(key: Any, here: Sequence[str], elsewhere: Sequence[str]) -> str | None:
    """Return the known key that was probably meant; one of another kind of section if nothing here is as near."""
    if key in elsewhere:
        return str(key)
    return next(iter(get_close_matches(str(key), here, 1, _NEAR)), None) or nearest(str(key), [*here, *elsewhere])


def _keys(models: tuple[Model, ...]) -> list[str]:
    return [*dict.fromkeys(name for model in models for name in model.model_fields)]


def _texts(value: Any, path: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    yield path, value
    for step, item in items:
        yield from _texts(item, (*path, step))


def _faults(tree: dict[str, Any]) -> Iterator[ProfileIssue]:
    for path, value in _texts(tree):
        if isinstance(value, EnvironmentText):
            yield from (ProfileIssue(path, fault) for fault in value.faults)


def _plain_secrets(tree: dict[str, Any], secrets: frozenset[Steps]) -> Iterator[ProfileIssue]:
    for path, value in _texts(tree):
        named = isinstance(value, EnvironmentText) and value.is_name_only
        if path in secrets and value not in (None, "") and not named:
            yield ProfileIssue(path, "a secret is written only as ${NAME}, never in the file")


def _plain(value: Any, secrets: frozenset[Steps], path: Steps = ()) -> Any:
    """Return the tree for pydantic, with secrets wrapped, so that no message or traceback can hold them."""
    if isinstance(value, dict):
        return {key: _plain(item, secrets, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, secrets, (*path, index)) for index, item in enumerate(value)]
    if not isinstance(value, str):
        return value
    return SecretStr(str(value)) if path in secrets else str(value)


def _issue(detail: ErrorDetails, tree: dict[str, Any]) -> ProfileIssue | None:
    place, facts = place_at(tree, detail["loc"]), detail.get("ctx", {})
    match detail["type"]:
        case "extra_forbidden" | "invalid_key":
            return None  # unknown_keys reports it
        case "too_short" if place.value:
            return None  # its items were refused, which is reported
        case "misfit":
            return ProfileIssue(place.path, facts["text"], facts["suggestion"])
        case "literal_error":
            return _none_of(place, choices(place.annotation))
        case "union_tag_invalid" | "union_tag_not_found":
            return _wrong_tag(place)
    return ProfileIssue(place.path, _wrong_value(detail, place.value) + _origin(place.value))


def _wrong_value(detail: ErrorDetails, value: Any) -> str:
    kind = detail["type"]
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "must be text: put it in quotes"
    if kind in _MAPPING_TYPES and value is None:
        return "is empty: write something below it, or remove it"
    if kind in _MESSAGES:
        return _MESSAGES[kind].format(**detail.get("ctx", {}))
    return _MESSAGES_BY_FAMILY.get(kind.split("_")[0], detail["msg"].removeprefix("Value error, "))


def _origin(value: Any) -> str:
    return f" (the file says {value.written})" if isinstance(value, EnvironmentText) else ""


def _wrong_tag(place: Place) -> ProfileIssue:
    models = models_in(place.annotation)
    tag = tag_of(models) or ""
    below = Place((*place.path, tag), None, place.value.get(tag))
    if below.value is None:
        return ProfileIssue(below.path, "must be given")
    return _none_of(below, tuple(name for model in models for name in choices(model.model_fields[tag].annotation)))


def _none_of(place: Place, names: tuple[str, ...]) -> ProfileIssue:
    """Return a value outside a closed set. Values from the environment are not repeated: they may be secrets."""
    listed = ", ".join(names)
    if isinstance(place.value, EnvironmentText):
        return ProfileIssue(place.path, f"the value of {place.value.written} is not one of {listed}")
    if isinstance(place.value, dict | list) or place.value is None:
        return ProfileIssue(place.path, f"must be one of {listed}")
    given = str(place.value).lower() if isinstance(place.value, bool) else str(place.value)
    return ProfileIssue(place.path, f'"{given}" is not one of {listed}', nearest(given, names))


def _each_once(found: list[ProfileIssue]) -> list[ProfileIssue]:
    """Return the first issue of each path; a missing key is left out if it was misspelt."""
    misspelt = {(*one.path[:-1], one.suggestion) for one in found if one.message == "unknown key"}
    first: dict[Steps, ProfileIssue] = {}
    for one in found:
        if not (one.message == "must be given" and one.path in misspelt):
            first.setdefault(one.path, one)
    return [*first.values()]

"""Strict request models: unknown keys are errors that name the nearest known one, and each error has its path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from app.http.errors import MalformedRequest
from pipelines.errors import MAX_PROBLEMS, Problem, nearest

Model = TypeVar("Model", bound=BaseModel)
_WRONG_KEYS = "wrong_keys"
_NAME_CHARS = 200
_PLAIN: Mapping[str, str] = {
    "missing": "must be given",
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "must be a JSON object"),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "must be a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "must be a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "must be true or false"),
    "string_type": "must be text",
    "list_type": "must be a list",
    "greater_than": "must be over {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
}
"""What pydantic's kinds of errors are called here; the others keep its words."""


class StrictModel(BaseModel):
    """A request's parameters or body: closed to keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _knows_all_keys(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        refuse_unknown_keys(value, cls.model_fields)
        return value


class StrictBody(StrictModel):
    """A JSON body: as ``StrictModel``, and a string is never taken for a number, nor a number for a truth value."""

    model_config = ConfigDict(strict=True)


def refuse_unknown_keys(given: Iterable[str], known: Iterable[str]) -> None:
    """End a model's validation where a key is not known; each one becomes a problem that names the nearest."""
    problems = unknown_keys(given, known)
    if problems:
        raise PydanticCustomError(_WRONG_KEYS, "unknown keys", {"problems": problems})


def refuse_misspelt_keys(given: Iterable[str], known: Iterable[str]) -> None:
    """End a model's validation where an unknown key resembles a known one; ignore other unknown keys."""
    problems = [problem for problem in unknown_keys(given, known) if problem.suggestion is not None]
    if problems:
        raise PydanticCustomError(_WRONG_KEYS, "unknown keys", {"problems": problems})


def refuse_null_keys(keys: Iterable[str]) -> None:
    """End a model's validation where there are ``keys``: their values are null, and may not be."""
    problems = tuple(Problem(key, "must be an object, not null") for key in keys)
    if problems:
        raise PydanticCustomError(_WRONG_KEYS, "null keys", {"problems": problems})


def unknown_keys(given: Iterable[str], known: Iterable[str]) -> tuple[Problem, ...]:
    """Return one problem for each key given that is not known."""
    names = list(known)
    is_known = frozenset(names).__contains__
    message = f"unknown key, known are {', '.join(names)}" if names else "unknown key, none is taken here"
    unknown = [key for key in given if not is_known(key)]
    shown, more = unknown[:MAX_PROBLEMS], unknown[MAX_PROBLEMS:]  # looking for the nearest takes its time
    return (*(Problem(key, message, _misspelt(key, names)) for key in shown), *(Problem(key, message) for key in more))


def _misspelt(key: str, names: list[str]) -> str | None:
    """Return the name that ``key`` misspells, or is a word of; one that merely resembles it would lead astray."""
    written = key[:_NAME_CHARS].lower()
    alike = get_close_matches(written, names, n=1, cutoff=0.7)
    of_words = [name for name in names if written.removesuffix("s") in name.split("_")]
    return next(iter([*alike, *of_words]), None)


def validated(model: type[Model], value: Any) -> Model:
    """``value`` as a model.

    Raises:
        MalformedRequest: It is not of the model's form.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise malformed(error.errors()) from None


def malformed(details: Sequence[Mapping[str, Any]], place: int = 0) -> MalformedRequest:
    """Return the error that says in the user's words what pydantic found; the first ``place`` steps of paths are
    left out.
    """
    problems = (problem for detail in details for problem in _problems(detail, place))
    return MalformedRequest(*dict.fromkeys(problems))  # a route and what it depends on may have read the same body


def _problems(detail: Mapping[str, Any], place: int) -> Iterator[Problem]:
    path = [str(step) for step in detail["loc"][place:]]
    if detail["type"] == _WRONG_KEYS:
        for problem in detail["ctx"]["problems"]:
            yield Problem(" -> ".join([*path, problem.path]), problem.message, problem.suggestion)
    elif detail["type"] == "literal_error":
        names = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        yield Problem(" -> ".join(path), f"must be one of {', '.join(names)}", _nearest_choice(detail["input"], names))
    else:
        yield Problem(" -> ".join(path), _plain(detail))


def _plain(detail: Mapping[str, Any]) -> str:
    """Return what is wrong with a value, as the core says it of other values."""
    kind, facts = detail["type"], detail.get("ctx", {})
    if kind in ("string_too_short", "too_short") and facts["min_length"] == 1:
        return "must not be empty"
    if kind not in _PLAIN:
        return str(detail["msg"]).removeprefix("Value error, ")
    return _PLAIN[kind].format(**{name: str(value).removesuffix(".0") for name, value in facts.items()})


def _nearest_choice(given: Any, names: list[str]) -> str | None:
    """Return the name nearest to ``given``; None where that is no name at all, whatever its size."""
    return nearest(given, names) if isinstance(given, str) and len(given) <= _NAME_CHARS else None

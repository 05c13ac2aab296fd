"""Walks a profile's tree along the schema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr

from pipelines.profile.issues import Steps
from pipelines.profile.plugins import profile_type

Model = type[BaseModel]


class Place(NamedTuple):
    """A place in the tree: its path, its annotation in the schema, and its value."""

    path: Steps
    annotation: Any
    value: Any


def alternatives(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union type without None, however it is wrapped."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return alternatives(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return tuple(found for argument in get_args(annotation) for found in alternatives(argument))
    return () if annotation is NoneType else (annotation,)


def models_in(annotation: Any) -> tuple[Model, ...]:
    """Return the sections allowed by a type; several if a tag chooses."""
    return tuple(one for one in alternatives(annotation) if isinstance(one, type) and issubclass(one, BaseModel))


def choices(annotation: Any) -> tuple[str, ...]:
    """Return the names allowed by a type."""
    return tuple(name for one in alternatives(annotation) if get_origin(one) is Literal for name in get_args(one))


@cache
def tag_of(models: tuple[Model, ...]) -> str | None:
    """Return the key whose value chooses one of several sections."""
    if len(models) < 2:
        return None
    return next(name for name in models[0].model_fields if _tells_apart(models, name))


def _tells_apart(models: tuple[Model, ...], name: str) -> bool:
    tags = [_tags(model, name) for model in models]
    listed = [tag for of_model in tags for tag in of_model]
    return all(tags) and len(listed) == len(set(listed))


def chosen(models: tuple[Model, ...], value: Any) -> tuple[Model, ...]:
    """Return the section that the tag in ``value`` chooses; all of them if it chooses none."""
    tag = tag_of(models)
    if tag is None or not isinstance(value, dict):
        return models
    return tuple(model for model in models if value.get(tag) in _tags(model, tag)) or models


def walk(value: Any, annotation: Any = None, path: Steps = ()) -> Iterator[Place]:
    """Yield every place of a tree that the schema knows, sections before their keys."""
    annotation = annotation or profile_type()
    yield Place(path, annotation, value)
    for step, below, item in _children(annotation, value):
        yield from walk(item, below, (*path, step))


def secret_places(tree: Any) -> frozenset[Steps]:
    """Return the paths of the secrets in the tree."""
    return frozenset(place.path for place in walk(tree) if SecretStr in alternatives(place.annotation))


def place_at(tree: Any, location: Steps) -> Place:
    """Return the place of a pydantic error location, without pydantic's own steps for unions and keys."""
    place, key_before = Place((), profile_type(), tree), False
    for part in location:
        if key_before and part == "[key]":  # the key itself is invalid
            return place._replace(annotation=None, value=place.path[-1])
        models = models_in(place.annotation)
        if len(models) > 1:  # pydantic adds the tag as a step
            tag = tag_of(models) or ""
            place = place._replace(annotation=next((m for m in models if part in _tags(m, tag)), None))
            continue
        key_before = any(get_origin(one) is dict for one in alternatives(place.annotation))
        below = _annotation_below(place.annotation, place.value, part)
        place = Place((*place.path, part), below, _item_at(place.value, part))
    return place


def _item_at(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    return value[step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else None


def _children(annotation: Any, value: Any) -> Iterator[tuple[str | int, Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        below = _annotation_below(annotation, value, step)
        if below is not None:
            yield step, below, item


def _annotation_below(annotation: Any, value: Any, step: str | int) -> Any:
    for model in chosen(models_in(annotation), value):
        if step in model.model_fields:
            return model.model_fields[str(step)].annotation
    for one in alternatives(annotation):
        if get_origin(one) is dict and isinstance(value, dict):
            return get_args(one)[1]
        if get_origin(one) is tuple and isinstance(value, list):
            return get_args(one)[0]
    return None


@cache
def _tags(model: Model, name: str) -> tuple[str, ...]:
    field = model.model_fields.get(name)
    return choices(field.annotation) if field else ()

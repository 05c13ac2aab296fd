"""Components that installed packages add to the names that a profile may choose from.

A package declares them in the entry-point group ``footnote.components``; each entry point is a `Component`. A profile
says their name and their settings, never the path of a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import Field, create_model

from pipelines.errors import Problem, ProfileError
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.sections.rerank import RerankStage
from pipelines.profile.values import Section, Whole

__all__ = ["Component", "Section", "find_component", "profile_type"]

GROUP = "footnote.components"
Kind = Literal["splitter", "reranker"]
_STAGES = get_args(get_args(RerankStage)[0])


@dataclass(frozen=True, slots=True)
class Component:
    """A component that profiles choose by its name.

    Attributes:
        kind: A ``splitter`` is named in ``chunking -> splitter``, a ``reranker`` in ``rerank -> type``.
        name: The name in profiles.
        section: Its settings. Those of a splitter stand beside the keys of ``chunking``, those of a reranker beside
            ``depth``.
        factory: Makes of the settings LlamaIndex's node parser or postprocessor.
    """

    kind: Kind
    name: str
    section: type[Section]
    factory: Callable[[Any], Any]


def find_component(kind: Kind, name: str) -> Component | None:
    """Return the installed component of that name, if there is one."""
    return next((one for one in _installed() if (one.kind, one.name) == (kind, name)), None)


@cache
def profile_type() -> type[Profile]:
    """Return the schema of profiles, with the sections of installed components.

    Raises:
        ProfileError: A package's component cannot be loaded or used.
    """
    stages = [_stage(one) for one in _installed() if one.kind == "reranker"]
    splitters = [_chunking(one) for one in _installed() if one.kind == "splitter"]
    fields: dict[str, Any] = {}
    if stages:
        many: Any = tuple
        fields["rerank"] = (many[_any_of("type", *_STAGES, *stages), ...], Field(default=()))
    if splitters:
        fields["chunking"] = (_any_of("splitter", Chunking, *splitters), Field(default_factory=Chunking))
    return create_model("Profile", __base__=Profile, **fields) if fields else Profile


def _any_of(tag: str, *sections: type[Section]) -> Any:
    union: Any = Union
    annotated: Any = Annotated
    return annotated[union[sections], Field(discriminator=tag)]


def _stage(component: Component) -> type[Section]:
    depth = (Whole, Field(default=50, ge=1, le=1000))
    named = {"type": (Literal[component.name], ...), "depth": depth}
    return create_model(component.section.__name__, __base__=component.section, **named)  # type: ignore[call-overload,no-any-return]


def _chunking(component: Component) -> type[Section]:
    named = {"splitter": (Literal[component.name], ...)}
    bases = (component.section, Chunking)
    return create_model(component.section.__name__, __base__=bases, **named)  # type: ignore[call-overload,no-any-return]


@cache
def _installed() -> tuple[Component, ...]:
    return tuple(_loaded())


def _loaded() -> Iterator[Component]:
    taken = {name for stage in _STAGES for name in get_args(stage.model_fields["type"].annotation)}
    taken |= {*get_args(Chunking.model_fields["splitter"].annotation)}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        component = _load(entry)
        if component.name in taken:
            raise _unusable(entry, f'the name "{component.name}" is taken')
        taken.add(component.name)
        yield component


def _load(entry: EntryPoint) -> Component:
    try:
        component = entry.load()
    except Exception as error:
        raise _unusable(entry, f"could not be loaded ({type(error).__name__}: {error})") from error
    if not isinstance(component, Component):
        raise _unusable(entry, f"must be a Component, not {type(component).__name__}")
    return component


def _unusable(entry: EntryPoint, problem: str) -> ProfileError:
    package = entry.dist.name if entry.dist is not None else entry.value
    return ProfileError("with installed components", (Problem(f"{GROUP} -> {entry.name} ({package})", problem),))

"""Components and contracts that installed packages add to the names that a profile may choose from.

A package declares components in the entry-point group ``footnote.components``; each entry point is a `Component`. Those
of the group ``footnote.contracts`` are functions that make a contract's application of a profile. A profile says names
and settings, never the path of a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import BeforeValidator, Field, create_model

from pipelines.errors import Problem, ProfileError
from pipelines.profile.schema import Contract, Extractor, Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.sections.embedding import EmbeddingBase, EmbeddingSection, HuggingFaceEmbedding
from pipelines.profile.sections.llm import LlmBase, LlmSection
from pipelines.profile.sections.rerank import RerankStage
from pipelines.profile.values import Line, Section, Whole, none_if_empty

__all__ = ["Component", "Section", "find_component", "load_contract", "profile_type"]

GROUP = "footnote.components"
CONTRACTS = "footnote.contracts"
Kind = Literal["splitter", "reranker", "embedding", "extractor", "llm"]
_STAGES = get_args(get_args(RerankStage)[0])
_EMBEDDINGS = get_args(get_args(EmbeddingSection)[0])
_LLMS = get_args(get_args(LlmSection)[0])
_EXTRACTORS = get_args(Extractor)
_CONTRACTS = get_args(Contract)


@dataclass(frozen=True, slots=True)
class Component:
    """A component that profiles choose by its name.

    Attributes:
        kind: A ``splitter`` is named in ``chunking -> splitter``, a ``reranker`` in ``rerank -> type``, an
            ``embedding`` in ``embedding -> provider``, an ``llm`` in ``llm -> provider``, and an ``extractor`` in
            ``extractors``.
        name: The name in profiles.
        section: Its settings. They stand beside the keys that Footnote reads: those of ``chunking``, ``depth`` of a
            reranker, the limits of a language model. An extractor has its defaults alone.
        factory: Makes LlamaIndex's object of the settings.
    """

    kind: Kind
    name: str
    section: type[Section]
    factory: Callable[[Any], Any]


def find_component(kind: Kind, name: str) -> Component | None:
    """Return the installed component of that name, if there is one."""
    return next((one for one in _installed() if (one.kind, one.name) == (kind, name)), None)


def load_contract(name: str) -> Callable[[Profile], Any]:
    """Return what makes the application of an installed contract.

    Raises:
        ProfileError: It cannot be loaded.
    """
    entry = _contracts()[name]
    build: Callable[[Profile], Any] = _object_of(entry)
    if not callable(build):
        raise _unusable(entry, f"must be a function of a profile, not {type(build).__name__}")
    return build


@cache
def profile_type() -> type[Profile]:
    """Return the schema of profiles, with the sections of installed components.

    Raises:
        ProfileError: A package's component cannot be loaded or used.
    """
    many: Any = tuple
    fields: dict[str, Any] = {}
    if stages := [_stage(one) for one in _of_kind("reranker")]:
        fields["rerank"] = (many[_any_of("type", *_STAGES, *stages), ...], Field(default=()))
    if splitters := [_chunking(one) for one in _of_kind("splitter")]:
        fields["chunking"] = (_any_of("splitter", Chunking, *splitters), Field(default_factory=Chunking))
    if embeddings := [_provider(one, EmbeddingBase) for one in _of_kind("embedding")]:
        model = _any_of("provider", *_EMBEDDINGS, *embeddings)
        fields["embedding"] = (model, Field(default_factory=HuggingFaceEmbedding))
    if llms := [_provider(one, LlmBase) for one in _of_kind("llm")]:
        fields["llm"] = (_any_of("provider", *_LLMS, *llms) | None, Field(default=None))
    if names := [one.name for one in _of_kind("extractor")]:
        known: Any = Literal
        fields["extractors"] = (many[known[(*_EXTRACTORS, *names)], ...], Profile.model_fields["extractors"])
    if contracts := tuple(_contracts()):
        one_of: Any = Literal
        named = Annotated[one_of[(*_CONTRACTS, *contracts)] | None, BeforeValidator(none_if_empty)]
        fields["contract"] = (named, Profile.model_fields["contract"])
    return create_model("Profile", __base__=Profile, **fields) if fields else Profile


def _of_kind(kind: Kind) -> list[Component]:
    return [one for one in _installed() if one.kind == kind]


def _any_of(tag: str, *sections: type[Section]) -> Any:
    union: Any = Union
    annotated: Any = Annotated
    return annotated[union[sections], Field(discriminator=tag)]


def _stage(component: Component) -> type[Section]:
    depth = (Whole, Field(default=50, ge=1, le=1000))
    named = {"type": (Literal[component.name], ...), "depth": depth}
    return create_model(component.section.__name__, __base__=component.section, **named)  # type: ignore[call-overload,no-any-return]


def _provider(component: Component, base: type[Section]) -> type[Section]:
    """The settings of a model, which is known by the component's name if it has no other."""
    named = {"provider": (Literal[component.name], ...), "model": (Line, Field(default=component.name))}
    bases = (component.section, base)
    return create_model(component.section.__name__, __base__=bases, **named)  # type: ignore[call-overload,no-any-return]


def _chunking(component: Component) -> type[Section]:
    named = {"splitter": (Literal[component.name], ...)}
    bases = (component.section, Chunking)
    return create_model(component.section.__name__, __base__=bases, **named)  # type: ignore[call-overload,no-any-return]


@cache
def _entry_points() -> Any:
    """Return those of every installed package: looking through the packages takes long, so it is done once."""
    return entry_points()


@cache
def _installed() -> tuple[Component, ...]:
    return tuple(_loaded())


def _loaded() -> Iterator[Component]:
    taken = {name for stage in _STAGES for name in get_args(stage.model_fields["type"].annotation)}
    taken |= {*get_args(Chunking.model_fields["splitter"].annotation), *_EXTRACTORS}
    taken |= {name for one in (*_EMBEDDINGS, *_LLMS) for name in get_args(one.model_fields["provider"].annotation)}
    for entry in sorted(_entry_points().select(group=GROUP), key=lambda entry: entry.name):
        component = _load(entry)
        if component.name in taken:
            raise _unusable(entry, f'the name "{component.name}" is taken')
        taken.add(component.name)
        yield component


@cache
def _contracts() -> dict[str, EntryPoint]:
    """Return the installed contracts by their names."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(_entry_points().select(group=CONTRACTS), key=lambda entry: entry.name):
        if entry.name in found or entry.name in _CONTRACTS:
            raise _unusable(entry, f'the name "{entry.name}" is taken')
        found[entry.name] = entry
    return found


def _load(entry: EntryPoint) -> Component:
    component = _object_of(entry)
    if not isinstance(component, Component):
        raise _unusable(entry, f"must be a Component, not {type(component).__name__}")
    if component.kind == "extractor" and any(field.is_required() for field in component.section.model_fields.values()):
        raise _unusable(entry, "the settings of an extractor must have defaults")
    return component


def _object_of(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:
        raise _unusable(entry, f"could not be loaded ({type(error).__name__}: {error})") from error


def _unusable(entry: EntryPoint, problem: str) -> ProfileError:
    package = entry.dist.name if entry.dist is not None else entry.value
    where = f"{entry.group} -> {entry.name} ({package})"
    return ProfileError("with installed components", (Problem(where, problem),))

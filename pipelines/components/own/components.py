"""Reads the mapping of components that `open_engine` takes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.extractors import BaseExtractor
from llama_index.core.llms import LLM
from llama_index.core.node_parser import NodeParser
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseComponent

from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.sections.rerank import RerankStage

_RERANKER = "reranker."
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_KINDS: Mapping[str, type[BaseComponent]] = {"splitter": NodeParser, "embedding": BaseEmbedding, "llm": LLM}
_KEYS = (*_KINDS, "extractors", f"{_RERANKER}NAME")
_STAGES = tuple(get_args(stage.model_fields["type"].annotation)[0] for stage in get_args(get_args(RerankStage)[0]))
_TAKEN = (*_STAGES, "dense", "sparse", "fused", "level", "result", "filter")


@dataclass(frozen=True, slots=True)
class OwnComponents:
    """What takes the place of the profile's own.

    Attributes:
        splitter: Cuts documents.
        rerankers: Stages by name, which run after the profile's.
        embedding: Embeds chunks and questions.
        extractors: Read something out of each chunk, after it was cut.
        llm: Writes answers, and does whatever else the profile asks a language model for.
    """

    splitter: NodeParser | None = None
    rerankers: Mapping[str, BaseNodePostprocessor] = field(default_factory=dict)
    embedding: BaseEmbedding | None = None
    extractors: tuple[BaseExtractor, ...] = ()
    llm: LLM | None = None

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """What decides, of splitter and extractors, which chunks a content becomes: class and settings."""
        cutting = (self.splitter,) if self.splitter is not None else ()
        return tuple(_fingerprint(component) for component in (*cutting, *self.extractors))


NO_COMPONENTS = OwnComponents()


def read_components(given: Mapping[str, Any]) -> OwnComponents:
    """Return the components of a mapping whose keys are ``splitter``, ``embedding``, ``llm``, ``extractors`` and
    ``reranker.NAME``.

    Raises:
        InvalidRequest: Unknown keys, and values that are not LlamaIndex's component of that kind; all are listed.
    """
    if problems := tuple(_problems(given)):
        raise InvalidRequest(*problems)
    rerankers = {key.removeprefix(_RERANKER): value for key, value in given.items() if key.startswith(_RERANKER)}
    return OwnComponents(
        splitter=given.get("splitter"),
        rerankers=rerankers,
        embedding=given.get("embedding"),
        extractors=tuple(given.get("extractors", ())),
        llm=given.get("llm"),
    )


def _problems(given: Mapping[str, Any]) -> Iterator[Problem]:
    for key, value in given.items():
        path = f"components -> {key}"
        if key in _KINDS:
            yield from _misfit(path, value, _KINDS[key])
        elif key.startswith(_RERANKER):
            yield from _wrong_name(path, key.removeprefix(_RERANKER))
            yield from _misfit(path, value, BaseNodePostprocessor)
        elif key != "extractors":
            yield Problem(path, f"unknown component (known are {', '.join(_KEYS)})", nearest(key, _KEYS))
        elif not isinstance(value, list | tuple):
            yield Problem(path, f"must be a list of LlamaIndex extractors, not {type(value).__name__}")
        else:
            for place, extractor in enumerate(value):
                yield from _misfit(f"{path} -> {place}", extractor, BaseExtractor)


def _misfit(path: str, value: object, kind: type[BaseComponent]) -> Iterator[Problem]:
    if not isinstance(value, kind):
        what = f"the class {value.__name__}: call it" if isinstance(value, type) else type(value).__name__
        yield Problem(path, f"must be a LlamaIndex {kind.__name__}, not {what}")


def _wrong_name(path: str, name: str) -> Iterator[Problem]:
    if not _NAME.fullmatch(name):
        yield Problem(path, "the name must be lower-case letters, digits and _, beginning with a letter")
    elif name in _TAKEN:
        yield Problem(path, f'"{name}" is the name of a built-in step; choose another')


def _fingerprint(component: BaseComponent) -> str:
    """Return a class and its settings; of a setting that is no plain value, its type."""
    kind = type(component)
    written = json.dumps(component.to_dict(), sort_keys=True, default=lambda value: type(value).__qualname__)
    return f"{kind.__module__}.{kind.__qualname__}:{hashlib.sha256(written.encode()).hexdigest()}"

"""Whether somebody listens to LlamaIndex's spans and events of a search, which take a twentieth of its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.dispatcher import Dispatcher
from llama_index_instrumentation.event_handlers import NullEventHandler
from llama_index_instrumentation.span_handlers import NullSpanHandler

P = ParamSpec("P")
T = TypeVar("T")
_SILENT = (NullEventHandler, NullSpanHandler)
_MODULES = ("llama_index.core.base.base_retriever", "pipelines.query.retriever", "pipelines.components.rerankers.base")


def has_listeners() -> bool:
    """Return whether a dispatcher that a search reaches has a handler, beside those that do nothing."""
    return any(map(_is_heard, _DISPATCHERS))


def _is_heard(dispatcher: Dispatcher) -> bool:
    handlers = [*dispatcher.event_handlers, *dispatcher.span_handlers]
    return any(type(handler) not in _SILENT for handler in handlers)


def _chain(dispatcher: Dispatcher) -> Iterator[Dispatcher]:
    """The dispatchers that hear what ``dispatcher`` says."""
    yield dispatcher
    if dispatcher.propagate:
        yield from _chain(dispatcher.parent)


_DISPATCHERS = tuple({one.name: one for module in _MODULES for one in _chain(get_dispatcher(module))}.values())
_OWN = get_dispatcher("pipelines.query.retriever")


def as_span(work: Callable[P, T]) -> Callable[P, T]:
    """Wrap ``work`` in a trace span that follows it into other threads; return ``work`` itself if nothing traces."""
    if not has_listeners():
        return work
    return partial(copy_context().run, _OWN.span(work))

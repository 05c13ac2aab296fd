"""A question's way as a LlamaIndex workflow: route, retrieve and call tools side by side, combine, synthesise.

The steps that wait for a model or a database do so in threads: everything but the tools is synchronous. The last step
returns the answer as a generator, which the caller reads in its own thread.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Any

from llama_index.core.workflow import Context, Event, StartEvent, StopEvent, Workflow, step

from pipelines.components.tools import Tools
from pipelines.errors import LlmTimeout, LlmUnavailable, PromptTooLong, ToolUnavailable
from pipelines.profile.sections.tools import ROUTER
from pipelines.query.routing.combining import CallResult, Vectors, combined, named
from pipelines.query.routing.question import Events, Question
from pipelines.query.routing.router import Call, Decision, Router
from pipelines.types import ToolRun

_MOST_CALLS = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """The decision on a question, the calls so far, and how long that took (milliseconds)."""

    question: Question
    decision: Decision
    failed: tuple[ToolRun, ...]
    took_ms: float


@dataclass(frozen=True, slots=True)
class Answering:
    """An answer that can be read: what tools were asked, how long each step took, and the answer's events."""

    tools: tuple[ToolRun, ...]
    timings_ms: dict[str, float]
    events: Events


class Asked(StartEvent):
    """A question comes in."""

    question: Any


class Retrieve(Event):
    """The documents are to be searched."""

    plan: Any


class Retrieved(Event):
    """They were."""

    plan: Any
    found: Any


class CallTool(Event):
    """A tool is to be asked; ``place`` is that of the call among those that were decided on."""

    plan: Any
    call: Any
    place: int


class ToolCalled(Event):
    """It was."""

    plan: Any
    called: Any
    place: int


class Combined(Event):
    """Everything that there is to answer from is there."""

    plan: Any
    found: Any
    called: Any


class AnswerWorkflow(Workflow):
    """Answers questions from documents and tools; a run's result is an `Answering`.

    Args:
        tools: The profile's.
        router: Decides.
        vectors: The embedding model.
    """

    def __init__(self, tools: Tools, router: Router, vectors: Vectors) -> None:
        super().__init__(timeout=None)  # each step has its own
        self._tools = tools
        self._router = router
        self._vectors = vectors

    @step
    async def route(self, ctx: Context, event: Asked) -> Retrieve | CallTool | None:
        """Decide what is asked."""
        question: Question = event.question
        started = time.perf_counter()
        offered = await self._tools.offered()
        failed = tuple(ToolRun(away.name, error=away.reason) for away in offered.away)
        decision = Decision(knowledge=True)
        if offered.tools:
            try:
                decision = await asyncio.to_thread(
                    self._router.decide, question.text, offered.tools, question.llm, question.over
                )
            except (LlmUnavailable, LlmTimeout, PromptTooLong) as error:
                _log.warning("the documents alone are asked: %s", error.message)
                failed += (ToolRun(ROUTER, error=_undecided(error)),)
        plan = Plan(question, decision, failed + decision.refused, _since_ms(started))
        if decision.knowledge:
            ctx.send_event(Retrieve(plan=plan))
        for place, call in enumerate(decision.calls):
            ctx.send_event(CallTool(plan=plan, call=call, place=place))
        return None

    @step
    async def retrieve(self, event: Retrieve) -> Retrieved:
        """Search the documents."""
        return Retrieved(plan=event.plan, found=await asyncio.to_thread(event.plan.question.retrieve))

    @step(num_workers=_MOST_CALLS)
    async def call_tool(self, event: CallTool) -> ToolCalled:
        """Call a tool; a failure is recorded and stops nothing else."""
        call: Call = event.call
        started = time.perf_counter()
        result, error = None, None
        try:
            result = await self._tools.call(call.tool, call.arguments)
        except ToolUnavailable as failure:
            error = failure.reason
        run = ToolRun(call.tool.name, call.arguments, _since_ms(started), error)
        return ToolCalled(plan=event.plan, called=CallResult(call.tool, run, result), place=event.place)

    @step
    async def combine(self, ctx: Context, event: Retrieved | ToolCalled) -> Combined | None:
        """Wait for all calls; if tools alone were called and found nothing, search the documents."""
        plan: Plan = event.plan
        decision = plan.decision
        awaited: list[type[Event]] = [Retrieved] * decision.knowledge + [ToolCalled] * len(decision.calls)
        collected = ctx.collect_events(event, awaited)
        if collected is None:
            return None
        # As decided, and not as they ended: sources are named by it, and must be the same when they are asked again.
        calls = sorted((one for one in collected if isinstance(one, ToolCalled)), key=lambda one: one.place)
        called = named([one.called for one in calls])
        found = [one.found for one in collected if isinstance(one, Retrieved)]
        if not found and not any(one.run.source for one in called):
            found = [await asyncio.to_thread(plan.question.retrieve)]
        return Combined(plan=plan, found=found[0] if found else (plan.question.nothing(), None), called=called)

    @step
    async def synthesise(self, event: Combined) -> StopEvent:
        """Begin the answer from all results; it is written as it is read."""
        plan: Plan = event.plan
        (found, reason), called = event.found, event.called
        runs = (*plan.failed, *(one.run for one in called))
        everything = await asyncio.to_thread(combined, plan.question.text, found, called, runs, self._vectors)
        events = plan.question.synthesise(everything, None if everything.hits else reason)
        took_ms = {"router": plan.took_ms, "tools": max((run.ms for run in runs), default=0.0)}
        return StopEvent(result=Answering(runs, took_ms, events))


def _undecided(error: Exception) -> str:
    if isinstance(error, PromptTooLong):
        return "the tools' descriptions do not fit into the language model's context"
    return "the language model did not decide, so the documents alone were asked"


def _since_ms(started: float) -> float:
    return (time.perf_counter() - started) * 1000

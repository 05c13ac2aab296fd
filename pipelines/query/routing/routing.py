"""Questions that tools may help to answer: brought to the workflow, and their answers read from it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio

from pipelines.components.tools import build_tools
from pipelines.profile.schema import Profile
from pipelines.query.routing.combining import Vectors
from pipelines.query.routing.question import Events, Question
from pipelines.query.routing.router import Router
from pipelines.query.routing.workflow import Answering, AnswerWorkflow, Asked
from pipelines.types import AnswerDone, Heartbeat, ToolsAsked


class Routing:
    """Answers from documents and tools; several threads may ask.

    Args:
        profile: What it says of tools.
        folder: Where the servers of tools are started.
        vectors: The embedding model.
    """

    def __init__(self, profile: Profile, folder: Path, vectors: Vectors) -> None:
        self._tools = tools = build_tools(profile.tools, folder)
        self._workflow = AnswerWorkflow(tools, Router(profile.tools, profile.title), vectors)

    def close(self) -> None:
        """Close the connections to the tools."""
        self._tools.close()

    def answering(self, question: Question) -> Generator[Heartbeat, None, Events]:
        """The answer's events, as the generator's value, once everything that it is made of is there.

        Until then there are heartbeats; closing the generator stops the model that decides, and the tools.
        """
        try:
            answering = yield from self._tools.loop.run(partial(self._run, question), Heartbeat())
        finally:
            question.over.set()
        return _with_tools(answering)

    async def _run(self, question: Question) -> Answering:
        run = self._workflow.run(start_event=Asked(question=question))
        # Shielded: a run whose own task is cancelled while it starts a step forgets that step, which would go on.
        result: asyncio.Future[Answering] = asyncio.ensure_future(run)
        result.add_done_callback(lambda done: done.cancelled() or done.exception())  # marks the exception as retrieved
        try:
            answering = await asyncio.shield(result)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await run.cancel_run()
            raise
        return answering


def _with_tools(answering: Answering) -> Events:
    """The answer's events, after which tools were asked; the whole answer tells of them too."""
    with closing(answering.events):
        if answering.tools:
            yield ToolsAsked(answering.tools)
        for event in answering.events:
            yield _with_runs(event, answering) if isinstance(event, AnswerDone) else event


def _with_runs(done: AnswerDone, answering: Answering) -> AnswerDone:
    timings_ms = {**done.answer.timings_ms, **answering.timings_ms}
    return AnswerDone(replace(done.answer, tools=answering.tools, timings_ms=timings_ms))

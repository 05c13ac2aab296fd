"""What the language model is given of earlier turns.

Each is given as it was, so that each prompt begins with exactly the earlier prompts and replies, and the server goes on
from what it keeps of that. Where the budget is full, the older turns are compressed in one step down to half of it: the
beginning changes then, and stays the same until the budget is full again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from pipelines.components.llm import Llm, Message, prompt_tokens
from pipelines.components.text_images import can_be_drawn, images_of_text
from pipelines.errors import LlmTimeout, LlmUnavailable, PromptTooLong
from pipelines.profile.sections.answers import HistorySection
from pipelines.query.data_lines import data_line
from pipelines.query.prompts import AnswerPrompt
from pipelines.types import Turn

SUMMARISE = (
    "Do not answer a question now. Sum up this conversation for the assistant that continues it, in at most 120 words: "
    "what was asked, what was answered, and every name, number and condition that a further question may refer to. Say "
    "nothing that was not said."
)
_SUMMARY = "What was said in this conversation before, in short, as data: "
_IMAGES = "What was said in this conversation before, as images, the oldest first. It is data."
_READ = "I have read it."
_SUMMARY_TOKENS = 256
_QUESTION_TOKENS = 256
_TEXT_TURNS = 3
_SIDES = ((10, 1280), (20, 640))  # turns ago at most, pixels a side
_OLDEST_SIDE = 512
_MOST_PAGES = 2  # of each size
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class History:
    """Messages of earlier turns, and the summary of those up to turn ``summarised`` that is among them, if any is."""

    messages: tuple[Message, ...] = ()
    summary: str | None = None
    summarised: int = 0


class HistoryBuilder:
    """Makes the messages of earlier turns.

    Args:
        settings: The profile's section on history.
        max_context_tokens: What is kept free for the sources of the turn to come.
    """

    def __init__(self, settings: HistorySection, max_context_tokens: int) -> None:
        self._settings = settings
        self._kept_free = max_context_tokens + _QUESTION_TOKENS

    def history(
        self, turns: Sequence[Turn], summary: str | None, summarised: int, llm: Llm, prompt: AnswerPrompt
    ) -> History:
        """Return the messages of ``turns`` for a model; the older ones are compressed where they do not fit.

        Args:
            turns: All earlier turns, the oldest first.
            summary: What sums up those up to ``summarised``.
            summarised: The last turn that was compressed before.
            llm: Who reads it, and sums up.
            prompt: Makes the messages of the conversation's answers.
        """
        budget = min(self._settings.max_tokens, self._room(llm, prompt))
        head = self._head(turns, summary, summarised)
        later = [turn for turn in turns if turn.number > summarised]
        recent = _messages(later, budget // 2)
        if prompt_tokens([*head, *recent]) <= budget and not (self._draws(turns) and len(later) > 2 * _TEXT_TURNS):
            return History((*head, *recent), summary, summarised)
        kept = self._kept(later, budget // 2, turns)
        going = later[: len(later) - len(kept)]
        if going:
            before = [*head, *_messages(going, budget // 2)]
            summary = (
                _sum_up(prompt.messages(Message("user", SUMMARISE), before), llm, summary)
                if self._sums_up(turns)
                else None
            )
            summarised = going[-1].number
        head = self._head(turns, summary, summarised)
        recent = _messages(kept, budget // 2)
        if prompt_tokens([*head, *recent]) > budget:
            return History(tuple(recent), None, summarised)
        return History((*head, *recent), summary, summarised)

    def fitting(self, messages: Sequence[Message], llm: Llm, prompt: AnswerPrompt) -> Sequence[Message]:
        """Return the latest of ``messages``, which somebody else keeps, as far as there is room for them beside the
        sources.

        What is left out of them grows in steps of half that room, so that what is sent begins with the same for long.
        """
        room = self._room(llm, prompt)
        over, step = prompt_tokens(messages) - room, max(room // 2, 1)
        going, gone = ceil(over / step) * step, 0
        for place, message in enumerate(messages):
            if gone >= going and (place == 0 or message.role == "user"):
                return messages[place:]
            gone += prompt_tokens([message])
        return ()

    def _room(self, llm: Llm, prompt: AnswerPrompt) -> int:
        """Return tokens for earlier turns where the sources of the turn to come have all of theirs."""
        return max(llm.room - self._kept_free - prompt_tokens(prompt.messages(Message("user", ""))), 0)

    def _draws(self, turns: Sequence[Turn]) -> bool:
        return self._settings.compress == "image" and can_be_drawn(_transcript(turns))

    def _sums_up(self, turns: Sequence[Turn]) -> bool:
        return self._settings.compress != "drop" and not self._draws(turns)

    def _head(self, turns: Sequence[Turn], summary: str | None, summarised: int) -> list[Message]:
        """Return what stands for the turns that were compressed."""
        older = [turn for turn in turns if turn.number <= summarised]
        if summary is not None:
            summary_message = Message("user", _SUMMARY + data_line(summary))
        elif older and self._draws(turns):
            summary_message = Message("user", _IMAGES, _images(older, summarised))
        else:
            return []
        return [summary_message, Message("assistant", _READ)]

    def _kept(self, turns: list[Turn], room: int, all_turns: Sequence[Turn]) -> list[Turn]:
        """As many of the latest turns as fit into ``room``, and at most as many as stay text beside images."""
        most = _TEXT_TURNS if self._draws(all_turns) else len(turns)
        kept: list[Turn] = []
        for turn in reversed(turns[-most:]):
            if prompt_tokens(_messages([turn, *kept], room)) > room:
                break
            kept.insert(0, turn)
        return kept


def _sum_up(messages: Sequence[Message], llm: Llm, former: str | None) -> str | None:
    """Return what sums up what is asked for in ``messages``; the ``former`` summary where the model fails."""
    try:
        reply = llm.complete(messages, max_tokens=_SUMMARY_TOKENS)
    except (LlmUnavailable, LlmTimeout, PromptTooLong) as error:
        _log.warning("a conversation goes on without a summary of its older turns: %s", error.message)
        return former
    return " ".join(reply.text.split()) or former


def _messages(turns: Sequence[Turn], most: int) -> list[Message]:
    """Turns with their prompts and replies, without sources if that would take more than ``most`` tokens."""
    messages: list[Message] = []
    for turn in turns:
        asked, reply = turn.exchange or (turn.question, turn.text)
        exchange = [Message("user", asked), Message("assistant", reply)]
        if prompt_tokens(exchange) > most:
            exchange = [Message("user", turn.question), Message("assistant", turn.text)]
        messages += exchange if prompt_tokens(exchange) <= most else []
    return messages


def _images(turns: Sequence[Turn], latest: int) -> tuple[bytes, ...]:
    """Turns as images, the older the smaller; how old they are is counted from the time when they were compressed."""
    by_side: dict[int, list[Turn]] = {}
    for turn in turns:
        age = latest - turn.number + 1 + _TEXT_TURNS
        side = next((side for most, side in _SIDES if age <= most), _OLDEST_SIDE)
        by_side.setdefault(side, []).append(turn)
    return tuple(
        image for side, group in by_side.items() for image in images_of_text(_transcript(group), side, _MOST_PAGES)
    )


def _transcript(turns: Sequence[Turn]) -> str:
    return "\n".join(f"Question {turn.number}: {turn.question}\nAnswer: {turn.text}" for turn in turns)

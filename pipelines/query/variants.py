"""Which of several prompts an answer is made with: the same for the same conversation, user or question.

Weighted rendezvous hashing: each variant draws a number from the hash of its name and of who asks, and the best one
wins, so that every process comes to the same result and nothing is stored. A variant wins in proportion to its weight,
and a changed weight only moves those who come to or go from that variant. Thaler and Ravishankar, "Using name-based
mappings to increase hit rates", IEEE/ACM Transactions on Networking 6 (1998); with weights by the logarithmic method
of Schindelhauer and Schomaker, "Weighted distributed hash tables", SPAA 2005.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.profile.prompts import PromptShare
from pipelines.query.prompts import AnswerPrompt
from pipelines.types import Message, Turn


@dataclass(frozen=True, slots=True)
class Variant:
    """A prompt that answers can be made with, and its name; None where the profile has no variants."""

    name: str | None
    prompt: AnswerPrompt
    weight: float
    fingerprint: str


class Variants:
    """The prompts of a tenant.

    Args:
        tenant: Its name.
        shares: The prompts and their weights, of which one is more than 0.
        title: The tenant's name for people.
        as_json: Whether the model is to write JSON.
    """

    def __init__(self, tenant: str, shares: Sequence[PromptShare], title: str, *, as_json: bool) -> None:
        self._tenant = tenant
        self._variants = tuple(
            Variant(one.name, AnswerPrompt(one.prompt, title, as_json=as_json), one.weight, one.prompt.fingerprint)
            for one in shares
        )

    def __iter__(self) -> Iterator[Variant]:
        return iter(self._variants)

    def chosen(self, unit: str, turns: Sequence[Turn] = ()) -> Variant:
        """Return the variant of ``unit``; a conversation keeps that of its last turn, as long as the profile has it.

        Args:
            unit: What is always answered with the same one; see `unit_of`.
            turns: The turns of the conversation up to now.
        """
        if turns:
            kept = [variant for variant in self._variants if variant.name == turns[-1].variant]
            if kept:
                return kept[0]
        if len(self._variants) == 1:
            return self._variants[0]
        return min((one for one in self._variants if one.weight > 0), key=lambda one: self._draw(unit, one))

    def question_in(self, message: str) -> str:
        """Return what was asked in a message of a user, whichever of the prompts it was made with; all of it, if
        with none.
        """
        asked = (variant.prompt.question_in(message) for variant in self._variants)
        return next((question for question in asked if question != message), message)

    def _draw(self, unit: str, variant: Variant) -> float:
        """Return an exponentially distributed number whose rate is the variant's weight: the smallest of several
        wins.
        """
        key = "\0".join((self._tenant, variant.name or "", unit))
        drawn = int.from_bytes(hashlib.sha256(key.encode(errors="replace")).digest()[:8])
        return -math.log((drawn + 0.5) / 2**64) / variant.weight


def unit_of(
    question: str, *, scope: str, user: str | None, conversation_id: str | None, history: Sequence[Message] | None
) -> str:
    """Return what always gets the same variant: a conversation, else a user, else a question.

    A conversation that its asker keeps, in ``history``, is known by its first question.
    """
    if conversation_id is not None:
        return f"conversation\0{scope}\0{conversation_id}"
    if history is not None:
        first = next((message.content for message in history if message.role == "user"), question)
        return f"question\0{_plain(first)}"
    if user is not None:
        return f"user\0{user}"
    return f"question\0{_plain(question)}"


def _plain(question: str) -> str:
    return " ".join(question.casefold().split())

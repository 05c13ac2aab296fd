"""A question as a turn of a conversation: what came before it, and how it is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from pipelines.catalogue import ConversationRecords, OpenedTurn
from pipelines.components.llm import Llm, Message
from pipelines.errors import InvalidRequest, Problem
from pipelines.profile.schema import Profile
from pipelines.query.conversation.followup import Judge, Rarity
from pipelines.query.conversation.history import History, HistoryBuilder
from pipelines.query.conversation.rewriting import Behind, Rewriter
from pipelines.query.keywords import question_of
from pipelines.query.lexicon import read_lexicon
from pipelines.query.plain_question import plain_question
from pipelines.query.requests import checked_id
from pipelines.query.spelling import Spelling
from pipelines.query.terms import Terms
from pipelines.query.variants import Variant, Variants
from pipelines.query.whole import without_whole
from pipelines.types import OPERATOR, Answer, Caller, Turn
from pipelines.types.footnote_numbers import versions_of

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class OpenTurn:
    """A question that is being answered, as a turn of a conversation.

    Attributes:
        records: The caller's conversations, which keep it.
        variant: The prompt that it is answered with.
        messages: What the model has read before.
        earlier: The earlier questions.
        answers: The answer to each of them.
        underway: The turn in the catalogue; None: it is kept nowhere.
        looked_for: The question that was looked for instead, of a follow-up or with a word respelt.
        asked: What extracts answer; "" until that is understood.
        kept: Whether the turn was kept.
    """

    records: ConversationRecords
    variant: Variant
    messages: Sequence[Message] = ()
    earlier: Sequence[str] = ()
    answers: Sequence[str] = ()
    underway: OpenedTurn | None = None
    looked_for: str | None = None
    asked: str = ""
    kept: bool = False

    @property
    def conversation_id(self) -> str | None:
        """The conversation that it is a turn of."""
        return None if self.underway is None else self.underway.conversation_id


class Turns:
    """Makes questions turns of conversations.

    Args:
        profile: Says how long conversations are kept, and how follow-ups are understood.
        records: The tenant's conversations.
        scope: The scope of the callers, "" for the whole tenant.
        variants: The prompts that answers are made with.
        terms: The terms of a text.
    """

    def __init__(
        self, profile: Profile, records: ConversationRecords, scope: str, variants: Variants, terms: Terms
    ) -> None:
        settings = profile.conversations
        self._records = records
        self._scope = scope
        self._variants = variants
        self._historian = HistoryBuilder(settings.history, profile.answer.max_context_tokens)
        expansion = profile.retrieval.expansion
        self._spelling = Spelling(profile.sparse.language, terms)
        self._rewriter = Rewriter(settings, terms, read_lexicon(expansion).is_name, self._spelling.is_word)
        self._corrects = expansion.spelling
        self._reads_keywords = profile.sparse.language == "english"

    @contextmanager
    def turn(
        self,
        conversation_id: str | None,
        history: Sequence[Message] | None,
        llm: Llm | None,
        unit: str,
        caller: Caller = OPERATOR,
    ) -> Iterator[OpenTurn]:
        """Lock a conversation for one turn; see `keep`.

        Args:
            conversation_id: Which one; None: a new one.
            history: The earlier messages, if the client keeps the conversation; then nothing is kept here.
            llm: Who answers.
            unit: What always gets the same prompt; see `pipelines.query.variants`.
            caller: The owner of the conversation.

        Raises:
            InvalidRequest: The id cannot be one, or no conversation can be kept.
            ConversationBusy: Another turn of it is in progress.
            QuotaSpent: A conversation with this id would be one more than the profile allows.
        """
        self._check(conversation_id, history)
        records = self._records.of(caller, self._scope)
        if history is not None or not records.kept or (conversation_id is None and records.full):
            earlier, answers = self._asked_in(history or ())
            variant = self._variants.chosen(unit)
            messages = self._historian.fitting(history or (), llm, variant.prompt) if llm is not None else ()
            yield OpenTurn(records, variant, messages, earlier, answers)
            return
        underway = records.begin(conversation_id)
        variant = self._variants.chosen(unit, underway.turns)
        turn = OpenTurn(records, variant, (), _asked(underway.turns), _answers(underway.turns), underway)
        try:
            self._remember(turn, llm)
            yield turn
        finally:
            if not turn.kept and turn.underway is not None:
                records.end(turn.underway)

    def understand(
        self, turn: OpenTurn, question: str, rarity: Rarity, llm: Llm | None, judge: Judge | None = None
    ) -> str:
        """Return the question to look for, put plainly; ``turn`` records it where it is completed or respelt."""
        plain, respelt = self._plainly(question, rarity)
        behind = _behind(turn.variant, turn.messages)
        rewritten = self._rewriter.rewritten(
            plain, turn.earlier, rarity, llm, behind, answers=turn.answers, judge=judge
        )
        turn.looked_for = rewritten or respelt
        asked = self._rewriter.asked(rewritten or plain, rarity)
        turn.asked = question_of(asked) if self._reads_keywords and not turn.earlier else asked
        return rewritten or plain

    def keep(self, turn: OpenTurn, question: str, answer: Answer, llm: Llm | None) -> Answer:
        """Keep the turn, and return the answer as its answer."""
        kept_answer = replace(
            answer,
            question=question,
            conversation_id=turn.conversation_id,
            rewritten_question=turn.looked_for,
            variant=None if llm is None else turn.variant.name,
        )
        if turn.underway is not None:
            sources = versions_of(answer.sources if answer.llm_generated else answer.citations)
            inherits = llm is not None or _speaks_of_answers(turn, question)
            turn.records.finish(turn.underway, kept_answer, sources, inherits=inherits)
            turn.kept = True
        return kept_answer

    def follow(
        self, conversation_id: str | None, question: str, rarity: Rarity, caller: Caller = OPERATOR
    ) -> tuple[str, str | None]:
        """Return the search text for a question that continues a conversation, and the rewritten question if it
        differs.

        No model is asked: a follow-up gets what it leaves out, and misspelt words are corrected.

        Raises:
            InvalidRequest: The id cannot be one.
        """
        plain, respelt = self._plainly(question, rarity)
        if conversation_id is None:
            return plain, respelt
        self._check(conversation_id, None)
        turns = self._records.of(caller, self._scope).turns(conversation_id)
        rewritten = self._rewriter.rewritten(plain, _asked(turns), rarity, answers=_answers(turns))
        return rewritten or plain, rewritten or respelt

    def standalone(
        self, question: str, turns: Sequence[Turn], rarity: Rarity, llm: Llm | None, judge: Judge | None = None
    ) -> str:
        """Return the question with what it leaves out of ``turns``, which are kept nowhere."""
        variant = self._variants.chosen(question)
        history = History() if llm is None else self._historian.history(turns, None, 0, llm, variant.prompt)
        behind = _behind(variant, history.messages)
        asked, answers = _asked(turns), _answers(turns)
        plain, _ = self._plainly(question, rarity)
        return self._rewriter.rewritten(plain, asked, rarity, llm, behind, answers=answers, judge=judge) or plain

    def _plainly(self, question: str, rarity: Rarity) -> tuple[str, str | None]:
        """Return a question without what is said around it, and how it is spelt right where it is not."""
        plain = plain_question(question)
        spelt = self._spelling.corrected(plain, rarity) if self._corrects else plain
        return without_whole(spelt, rarity, self._spelling.is_word), (spelt if spelt != plain else None)

    def _asked_in(self, history: Sequence[Message]) -> tuple[list[str], list[str]]:
        """Return the questions of a history, and the answer to each; "" where there was none."""
        asked: list[str] = []
        answers: list[str] = []
        for one in history:
            if one.role == "user":
                asked.append(self._variants.question_in(one.content))
                answers.append("")
            elif one.role == "assistant" and answers:
                answers[-1] = one.content
        return asked, answers

    def _remember(self, turn: OpenTurn, llm: Llm | None) -> None:
        """Give ``turn`` the messages before it, and its conversation the summary made of them."""
        under = turn.underway
        if under is None:
            return
        if llm is not None and under.turns:
            made = self._historian.history(under.turns, under.summary, under.summarised, llm, turn.variant.prompt)
            turn.messages = made.messages
            turn.underway = replace(under, summary=made.summary, summarised=made.summarised)

    def _check(self, conversation_id: object, history: Sequence[Message] | None) -> None:
        if conversation_id is None:
            return
        name = "conversation_id"
        checked_id(name, conversation_id)
        if history is not None:
            raise InvalidRequest(Problem(name, "and history cannot both be given: one of them keeps the conversation"))
        if not self._records.kept:
            raise InvalidRequest(Problem(name, "the profile keeps no conversations: conversations -> ttl_hours is 0"))


def _asked(turns: Sequence[Turn]) -> list[str]:
    return [turn.question for turn in turns]


def _answers(turns: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in turns]


def _speaks_of_answers(turn: OpenTurn, question: str) -> bool:
    """Return whether what was looked for has words of earlier answers: it goes with the documents that they were
    made of.
    """
    asked = {word for text in (question, *turn.earlier) for word in _WORD.findall(text)}
    return turn.looked_for is not None and not asked.issuperset(_WORD.findall(turn.looked_for))


def _behind(variant: Variant, messages: Sequence[Message]) -> Behind | None:
    """Return what makes the messages of a call behind those that the model has read, if it has read any."""
    return partial(variant.prompt.messages, history=messages) if messages else None

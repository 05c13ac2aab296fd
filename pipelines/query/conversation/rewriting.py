"""A follow-up as a question that stands alone, which is what is looked for."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from pipelines.components.llm import Llm, Message
from pipelines.errors import LlmAnswerInvalid, LlmTimeout, LlmUnavailable, PromptTooLong
from pipelines.profile.sections.answers import ConversationsSection
from pipelines.query.conversation.followup import Judge, Rarity, refers_back, says_something, with_subject
from pipelines.query.conversation.replacing import replaced
from pipelines.query.conversation.turns import IsName, transferred
from pipelines.query.data_lines import data_line
from pipelines.query.forms import read_form
from pipelines.query.plain_question import plain_question, told_around
from pipelines.query.small_talk import small_talk_reply
from pipelines.query.terms import Terms

REWRITE = """Do not answer now. The next question is: {question}

Write it so that it can be understood without this conversation: put what it refers to in the place of words such as
"it" or "they", and add what it leaves out. Change nothing else, and keep its language. A question that stands alone
already stays as it is. Reply with one JSON object and nothing else: {{"question": "..."}}"""
Behind = Callable[[Message], Sequence[Message]]
"""All messages that are sent with one, behind those that were sent before."""
_MOST_TOKENS = 256
_MOST_CHARS = 1000
_FEW_TERMS = 2
_NAME_WORDS = 4
_WORD = re.compile(r"[\w-]+")
_EXISTS = re.compile(r"\b(?:(?:are|is|was|were)\s+there|there\s+(?:are|is|was|were))\b", re.IGNORECASE)
"""Points at nothing, though it has a "there"."""
_log = logging.getLogger(__name__)


class _Rewritten(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)
    question: str = Field(min_length=1, max_length=_MOST_CHARS)


class Rewriter:
    """Makes follow-ups stand alone, by the language model or by the rules of `turns`, `replacing` and `followup`.

    Args:
        settings: The profile's section on conversations.
        terms: The terms of a text.
        is_name: Recognises the names of the tenant's things, such as drugs.
        is_word: Recognises the words of the documents' language.
    """

    def __init__(
        self,
        settings: ConversationsSection,
        terms: Terms,
        is_name: IsName = lambda phrase: False,
        is_word: Callable[[str], bool] = lambda word: True,
    ) -> None:
        self._settings = settings
        self._terms = terms
        self._is_name = is_name
        self._is_word = is_word

    def rewritten(
        self,
        question: str,
        earlier: Sequence[str],
        rarity: Rarity,
        llm: Llm | None = None,
        behind: Behind | None = None,
        *,
        answers: Sequence[str] = (),
        judge: Judge | None = None,
    ) -> str | None:
        """Return the question to look for; None where it is the question itself.

        Args:
            question: What is asked.
            earlier: The questions before it, the oldest first.
            rarity: How rare a word is in the documents.
            llm: The model that rewrites, if the profile says so; None: the rule does.
            behind: Makes the messages of what is asked behind the turns as the model has read them: so this costs
                neither of the two calls what the server keeps. None: it has read none.
            answers: What was answered to each of ``earlier``.
            judge: Decides for the rule between likely subjects.
        """
        earlier, answers = _asking(earlier, answers)
        if not earlier or self._settings.rewrite == "off":
            return None
        if llm is not None and behind is not None and self._settings.rewrite == "llm":
            try:
                return self._by_model(question, llm, behind)
            except (LlmUnavailable, LlmTimeout, PromptTooLong) as error:
                _log.warning("a follow-up is rewritten by the rule: %s", error.message)
        if not says_something(question, rarity, self._is_word):
            return None
        return (
            transferred(question, earlier, rarity, self._is_name)
            or replaced(question, earlier, self._is_name, self._is_word)
            or with_subject(question, earlier, self._terms, rarity, answers=answers, judge=judge)
        )

    def asked(self, question: str, rarity: Rarity) -> str:
        """Return what a question asks, without what it tells besides; all of it where it refers to that, or where that
        names one of the tenant's things: "My beagle limps. Which tests are needed?".

        A question of few words has the subject of what is told, or stays as it is: "Which volumes can be used?".
        """
        told = told_around(question)
        if told is None or refers_back(_EXISTS.sub(" ", told[1])) or self._names_thing(told[0]):
            return question
        story, last = told
        if len(self._terms(last)) > _FEW_TERMS:
            return last
        return with_subject(last, [story], self._terms, rarity) or question

    def _names_thing(self, text: str) -> bool:
        words = _WORD.findall(text)
        runs = (" ".join(words[at : at + length]) for at in range(len(words)) for length in range(1, _NAME_WORDS + 1))
        return any(map(self._is_name, runs))

    def _by_model(self, question: str, llm: Llm, behind: Behind) -> str | None:
        asked = Message("user", REWRITE.format(question=data_line(question)))
        quick = llm.for_decisions()
        reply = quick.complete(behind(asked), json=_Rewritten.model_json_schema(), max_tokens=_MOST_TOKENS)
        try:
            form = read_form(reply.text, _Rewritten)
        except ValueError:
            raise LlmAnswerInvalid(llm.part, "it gave no question") from None
        rewritten = " ".join(form.question.split())
        return rewritten if rewritten != " ".join(question.split()) else None


def _asking(earlier: Sequence[str], answers: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the turns that asked something, their questions put plainly: a greeting has no subject."""
    padded = [*answers, *[""] * (len(earlier) - len(answers))]
    turns = [(one, answer) for one, answer in zip(earlier, padded, strict=False) if small_talk_reply(one) is None]
    return [plain_question(one) for one, _ in turns], [answer for _, answer in turns]

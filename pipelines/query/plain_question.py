"""What a message asks, without what is said around it: "Hi! Can you tell me what an edge is?" asks "what is an edge?".

Passages are found and chosen by the words of a question, and a greeting has words too. The rules are for English.
"""

from __future__ import annotations

import re

from pipelines.components.sentences import sentence_spans
from pipelines.query.short_names import asked_in_full, short_name
from pipelines.query.small_talk import GREETING, HOW_ARE_YOU, THANKS

_MOST_CHARS = 1000
"""Longer texts are pasted, and no one talks around a question for so long."""
_BREAK = r"(?:(?!-\w)[\s,.!;:\u2013-]+|$)"
_ME = r"(?:\s+(?:to\s+)?(?:me|us))?"
_AUXILIARIES = "am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would"
_ASKS = rf"(?:what|which|who|whom|whose|when|where|why|how|if|whether|{_AUXILIARIES})\b"
_SENTENCE_FOLLOWS = (
    rf"(?=\s*(?:[^\w\s]|\n|$)|\s+(?:{_ASKS}|(?:a|about|an|and|another|any|at|but|define|describe|explain|find|for|from|give|good"
    r"|hello|help|hey|hi|i|in|it|just|list\s+(?:all|me|the)|looking|me|my|need|ok|okay|on|one|our|please|pls|quick|show|so|sorry"
    r"|tell|thank|thanks|that|the|there|this|to|trying|want|we|with|you|your)\b))"
)
"""What stands behind a courtesy that is no part of a name such as "Thank you notes": a sign, or how sentences begin."""
_BEFORE = re.compile(
    rf"(?:(?:{GREETING}|{THANKS}){_SENTENCE_FOLLOWS}|{HOW_ARE_YOU}\?|(?:i\s+)?hope\s+(?:you\s+are|you['\u2019]re|all\s+is)\s+well"
    r"|i(?:\s+am|['\u2019]m)\s+(?:new\s+(?:here|to\s+(?:this|all\s+this))|a\s+(?:beginner|newbie|newcomer))(?:\s+(?:and|so|but))?"
    r"|(?:(?:i\s+have|just|here\s+is|may\s+i\s+ask)\s+)?(?:an?(?:other)?|one\s+(?:more|last)|my)?\s*"
    r"(?:(?:quick|short|simple|small|stupid|basic|dumb|general)\s+)?question(?=\s*[:.,!\u2013-])"
    rf"|please\s+help{_ME}|(?:can|could)\s+(?:you|someone|anybody|anyone)\s+(?:please\s+)?help{_ME}(?:\s+(?:please|out))?(?=\s*[?.!])"
    r"|(?:sorry|excuse\s+me|ok|okay|well|so|now|alright|please)(?=\s*[,:.!])"
    rf")(?:\s*\?)?{_BREAK}",
    re.IGNORECASE,
)
_NAMES_IT = "a|an|and|between|definition of|instead of|meaning of|or|say|saying|says|spell|than|the|translation of|word"
_NOT_NAMED = "".join(rf"(?<!\b{words})" for words in _NAMES_IT.split("|"))
"""Not behind what asks about the courtesy itself: "What is the meaning of please?"."""
_BEHIND = re.compile(
    rf"{_NOT_NAMED}(?<![\s,.!;:\u2013-])[\s,.!;:\u2013-]+"
    rf"(?:{THANKS}(?:\s+in\s+advance)?|please|(?:best|kind|warm)\s+regards|any\s+help\s+is\s+(?:very\s+)?"
    r"(?:welcome|appreciated))[\s.!,]*(?P<mark>\??)[\s.!,]*$",
    re.IGNORECASE,
)
_ASKING = re.compile(rf"(?!(?:if|whether)\b){_ASKS}\s+\w", re.IGNORECASE)
"""The beginning of a question, with or without its mark."""
_REQUEST = re.compile(
    r"(?:please\s+)?(?:can|could|would|will)\s+(?:you|someone|anybody|anyone)\s+(?:please\s+|kindly\s+)?"
    r"(?=(?:clarify|define|describe|explain|list|tell)\b|(?:give|name|remind|show|teach)\s+(?:all|me|some|the|us)\b)"
    r"|please\s+(?=[a-z])",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    rf"(?:(?:clarify|explain|remind|say|show|teach|tell){_ME}(?:\s+please)?"
    r"|i(?:['\u2019]d|\s+would)?\s+(?:love|like|want|need|try|am\s+trying)\s+to\s+(?:ask|find\s+out|know|learn|understand)"
    r"|i(?:\s+was|\s+am|['\u2019]m)\s+(?:just\s+)?(?:asking\s+myself|curious|wondering)"
    r"|i\s+(?:do\s+not|don['\u2019]t)\s+(?:know|understand)|i\s+wonder|do\s+you\s+(?:happen\s+to\s+)?know|any\s+idea)"
    rf"[,:]?\s+(?={_ASKS})",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"^(?P<asks>how|what|when|where|which|who|why)\s+(?:actually|basically|exactly|precisely|really)\s+", re.IGNORECASE
)
_SOMEONE = re.compile(
    r"^(?P<how>how)\s+(?:(?P<does>does)|(?P<can>can|could|should|would))\s+(?:an?\s+(?:person|user)|anybody|anyone|one|somebody"
    r"|someone)\b",
    re.IGNORECASE,
)
_HIGH = re.compile(
    r"^(?P<how>how)\s+high(?=\s+(?:are|is|was|were|will)\s+(?:(?!(?:at|by|for|from|in|of|on|with)\b)[\w'\u2019-]+\s+){1,4}?(?:bills?|bonus|budget|charges?|costs?"
    r"|deposit|discount|fees?|fines?|grants?|payments?|penalt(?:y|ies)|premiums?|prices?|rents?|salar(?:y|ies)|surcharges?"
    r"|tax(?:es)?|wages?)\b)",
    re.IGNORECASE,
)
"""What is asked of a sum of money as of a mountain."""
_WORD = r"[\w'\u2019\"`./-]+"
_OF = rf"(?P<of>(?:(?!(?:and|or)\s+(?:what|which|who|when|where|why|how)\b|(?:do|does|did)\s+\w+$){_WORD}\s+){{1,8}})"
"""What is asked about: neither two questions nor a verb with its auxiliary."""
_IS_WHAT = re.compile(rf"(?P<asks>what|who|where)\s+{_OF}(?P<be>is|are|was|were)", re.IGNORECASE)
_DOES_WHAT = re.compile(rf"(?P<asks>what|how)\s+{_OF}(?P<does>do|does|means?|works?)", re.IGNORECASE)
_CAN_HOW = re.compile(
    r"(?P<asks>what|when|where|why|how)\s+(?P<who>i|you|we|they|one)\s+(?P<can>can|could|may|must|should)\b",
    re.IGNORECASE,
)
_WHETHER_I = re.compile(rf"(?:if|whether)\s+(?=(?:i|you|we|they)\s+(?!(?:{_AUXILIARIES})\b))", re.IGNORECASE)
_WHETHER = re.compile(rf"(?:if|whether)\s+(?P<who>(?:{_WORD}\s+){{1,5}}?)(?P<can>{_AUXILIARIES})\b", re.IGNORECASE)
_UNNAMED = (
    "allowed|best|better|different|happening|it|its|my|needed|new|next|normal|our|possible|recommended|required|that|the"
    "|their|them|these|they|this|those|wrong|your"
)
_SAID_OF_THINGS = (
    r"(?:available|compatible|done|due|forbidden|free|known|left|legal|mandatory|missing|necessary|optional|valid|\w{2,}(?<!e)ed)"
    r"(?=\s*\?|\s+(?:at|by|for|from|here|in|now|on|then|there|to|under|with)\b)"
)
"""What names no thing, unless a noun follows: "What is supported?", but "What is distributed tracing?"."""
_STANDS_ALONE = re.compile(
    rf"what(?:'s|\s+(?:exactly\s+)?(?:is|are))\s+(?:an?\s+)?(?!(?:{_UNNAMED})\b|{_SAID_OF_THINGS}){_WORD}(?:\s+{_WORD}){{0,2}}"
    r"\s*\?+",
    re.IGNORECASE,
)


def plain_question(message: str) -> str:
    """Return the question of a message, put plainly; the message itself where it asks in no other way."""
    if len(message) > _MOST_CHARS:
        return message
    bare = _without_courtesies(message)
    wrapped = _WRAPPED.match(bare)
    plain = _directly(bare[wrapped.end() :]) if wrapped is not None else bare
    short = short_name(plain)
    asks = "stand for" if asked_in_full(plain) else "mean"
    asked = f"What does {short} {asks}?" if short else _definition_asked(plain) or plain
    return f"{asked.rstrip(' .')}?" if _lacks_mark(asked) else asked or message


def _lacks_mark(question: str) -> bool:
    """Return whether a text is one question whose mark was left out."""
    is_asking = _ASKING.match(question) is not None
    return is_asking and question[-1:] not in "!?\uff1f" and "?" not in question and len(_sentences(question)) == 1


def told_around(question: str) -> tuple[str, str] | None:
    """Return what a message tells and the one question that it asks; None where it is not of that kind."""
    if len(question) > _MOST_CHARS:
        return None
    sentences = _sentences(question)
    asking = [one for one in sentences if "?" in one]
    if len(asking) != 1 or len(sentences) == 1:
        return None
    return " ".join(one for one in sentences if one is not asking[0]), asking[0]


def _without_courtesies(message: str) -> str:
    bare, before = message.strip(), ""
    while bare != before:
        before = bare
        for around in (_BEFORE, _REQUEST):
            found = around.match(bare)
            bare = bare[found.end() :].lstrip() if found is not None else bare
        bare = _BEHIND.sub(r"\g<mark>", bare)
    bare = _HIGH.sub(r"\g<how> much", _EMPHASIS.sub(r"\g<asks> ", bare))
    return _SOMEONE.sub(lambda found: f"{found['how']} {'do' if found['does'] else found['can']} I", bare)


def _directly(asked: str) -> str:
    """Return an indirect question as a direct one: "what an edge is" as "what is an edge?"."""
    first, *rest = _sentences(asked)
    return " ".join((f"{_reordered(first.rstrip(' .!?'))}?", *rest))


def _reordered(asked: str) -> str:
    if found := _IS_WHAT.fullmatch(asked):
        return f"{found['asks']} {found['be']} {found['of'].rstrip()}"
    if found := _DOES_WHAT.fullmatch(asked):
        verb = found["does"].lower()
        does = "does" if verb in ("does", "means", "works") else "do"
        return f"{found['asks']} {does} {found['of'].rstrip()} {'do' if verb == 'does' else verb.removesuffix('s')}"
    if found := _CAN_HOW.match(asked):
        return f"{found['asks']} {found['can']} {found['who']}{asked[found.end() :]}"
    if found := _WHETHER_I.match(asked):
        return f"do {asked[found.end() :]}"
    if found := _WHETHER.match(asked):
        return f"{found['can']} {found['who'].rstrip()}{asked[found.end() :]}"
    return asked


def _definition_asked(text: str) -> str | None:
    """Return the question behind what is told, if it asks what a thing is that it names: the rest does not matter."""
    told = told_around(text)
    return told[1] if told is not None and _STANDS_ALONE.fullmatch(told[1]) is not None else None


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text, one at least."""
    return [text[start:end] for start, end in sentence_spans(text)] or [text]

"""Greetings, thanks, assent and farewells: no documents answer these, and a quoted line would be no reply.

The rules are for English, and need a message of nothing else: "Hello, what is an edge?" is a question.
"""

from __future__ import annotations

import re
import uuid

from pipelines.types import SMALL_TALK, Answer

_TO_WHOM = r"(?:[\s,]+(?:there|all|again|everyone|everybody|footnote|team|friend))?"
HOW_ARE_YOU = r"how\s+(?:are\s+(?:you|things)(?:\s+doing)?|is\s+it\s+going|do\s+you\s+do)(?:\s+today)?"
GREETING = rf"(?:hi|hello|hey|howdy|greetings|good\s+(?:morning|afternoon|evening|day)){_TO_WHOM}"
THANKS = (
    r"(?:(?:ok(?:ay)?|great|perfect)[\s,.!]+)?(?:many\s+thanks|thanks|thank\s+you|thx|cheers)"
    r"(?:\s+(?:a\s+lot|a\s+million|so\s+much|very\s+much|again))?(?:\s+for\s+(?:your|the)\s+(?:help|answers?))?"
)
_FAREWELL = (
    rf"(?:bye(?:[\s-]+bye)?|good\s*bye|good\s+night|see\s+you(?:\s+(?:later|soon))?|have\s+a\s+nice\s+day){_TO_WHOM}"
)
_ASSENT = (
    r"(?:(?:ok(?:ay)?|great|perfect|got\s+it|i\s+(?:see|understand)|understood|all\s+right|alright|makes\s+sense"
    r"|good\s+to\s+know|that(?:['\u2019]s|\s+is)\s+(?:all|clear|helpful|great)|that\s+helps)(?:[\s,.!]+|$)){1,3}"
)
_REPLIES = (
    (
        rf"{GREETING}(?:[\s,.!]+{HOW_ARE_YOU})?|{HOW_ARE_YOU}",
        "Hello! Ask me something that the documents may answer.",
    ),
    (THANKS, "You're welcome! Is there anything else that you want to know?"),
    (_ASSENT, "Is there anything else that you want to know?"),
    (rf"(?:{THANKS}[\s,.!]+)?{_FAREWELL}", "Goodbye!"),
)
_END = r"[\s.!?,;:)\U0001F300-\U0001FAFF]*"
_PATTERNS = tuple((re.compile(rf"\s*(?:{pattern}){_END}", re.IGNORECASE), reply) for pattern, reply in _REPLIES)
_MOST_CHARS = 80


def small_talk_reply(message: str) -> str | None:
    """Return the reply to a message that asks nothing; None for any other."""
    if len(message) > _MOST_CHARS:
        return None
    return next((reply for pattern, reply in _PATTERNS if pattern.fullmatch(message)), None)


def small_talk_answer(message: str, reply: str, snapshot: int) -> Answer:
    """Return the reply as an answer: nothing was looked for, and nothing is cited."""
    return Answer(
        answer_id=str(uuid.uuid4()),
        question=message,
        text=reply,
        abstained=False,
        reason=None,
        confidence=1.0,
        citations=(),
        claims=(),
        sources=(),
        model=SMALL_TALK,
        llm_generated=False,
        degraded=False,
        snapshot=snapshot,
        timings_ms={"search": 0.0},
    )

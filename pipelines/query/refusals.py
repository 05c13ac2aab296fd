"""What a language model writes when it does not know, and what it says besides."""

from __future__ import annotations

import re

from pipelines.components.sentences import word_count

_DOES_NOT_KNOW = re.compile(
    r"""^\W*(?:(?:i['\u2019]?m|i\s+am)\s+|sorry\b\W*(?:but\s+)?|afraid\b\W*|unfortunately\W+|
            (?:based\s+on|according\s+to|from)\s+the\s+(?:\w+\s+){0,2}(?:sources|documents|context|information)\W+)*
        (?:i\s+(?:do\s+not|don['\u2019]t)\s+know
        |the\s+(?:\w+\s+){0,2}(?:sources|documents|context|information)\s+(?:(?:do|does)\s+not|don['\u2019]t|doesn['\u2019]t)
            \s+(?:\w+\s+){0,2}(?:say|tell|answer|contain|provide|mention|include|state|specify|address|give|cover)
        |none\s+of\s+the\s+(?:\w+\s+)?(?:sources|documents)\s+(?:says?|tells?|answers?|contains?|provides?|mentions?)
        |(?:there\s+is|i\s+(?:have|found|find|see))\s+no\s+(?:information|mention)\b
        |(?:i\s+)?(?:cannot|can['\u2019]t|could\s+not|couldn['\u2019]t|(?:am\s+)?unable\s+to)\s+(?:find|answer|determine)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_DOES_NOT_KNOW_ELSEWHERE = re.compile(
    r"""^\W*(?:(?:das\s+)?wei(?:ß|ss)\s+ich\s+(?:leider\s+)?nicht|ich\s+wei(?:ß|ss)\s+(?:(?:es|das)\s+)?(?:leider\s+)?nicht
        |je\s+ne\s+(?:le\s+)?sais\s+pas|(?:yo\s+)?no\s+(?:lo\s+)?s[eé]|non\s+(?:lo\s+)?so|(?:eu\s+)?n[aã]o\s+sei
        |ik\s+weet\s+het\s+niet|nie\s+wiem|(?:я\s+)?не\s+знаю|(?:我)?不知道|[わ分]かりません|모르겠습니다|bilmiyorum
        |لا\s+(?:أعلم|أعرف))\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
"""What a prompt that asks for the language of the question makes of "I do not know", as a whole sentence."""
_BESIDE = re.compile(
    r"[,;:\u2013\u2014-]?\s+(?:but|however)\b\W*|[,;:]\s+(?:so|yet|still|though|although|while|whereas)\b\W*|[;:]\s+|\s[-\u2013\u2014]\s",
    re.IGNORECASE,
)
_BESIDE_IF_CITED = re.compile(r",\s+")
_LEAST_WORDS = 3
_LEAST_WORDS_BEHIND_A_COMMA = 5  # fewer go on with a list of what is not known


def is_refusal(sentence: str) -> bool:
    """Return whether a sentence says, or begins by saying, that the model does not know."""
    return any(form.search(sentence) for form in (_DOES_NOT_KNOW, _DOES_NOT_KNOW_ELSEWHERE))


def beside_refusal(sentence: str, *, cited: bool) -> str:
    """Return what a sentence that `is_refusal` says besides: "I do not know exactly, but they need an hour."

    What follows a mere comma counts only in a sentence that cites something.
    """
    refusal = _DOES_NOT_KNOW.search(sentence)
    behind = sentence[refusal.end() :] if refusal else ""
    for form, least in ((_BESIDE, _LEAST_WORDS), (_BESIDE_IF_CITED, _LEAST_WORDS_BEHIND_A_COMMA)):
        found = form.search(behind) if cited or form is _BESIDE else None
        rest = behind[found.end() :] if found else ""
        if word_count(rest) >= least and not is_refusal(rest):
            return rest
    return ""

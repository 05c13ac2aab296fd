"""Recognises sentences that say what something is. The rules are for English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.short_names import asked_in_full, in_full

KINDS = (
    "argument|attribute|class|command|directive|extension|field|flag|function|key|keyword|method|module|option|package|"
    "parameter|plugin|property|script|setting|variable"
)
"""What names are given to: "the engines field"."""
_KINDS = frozenset(KINDS.split("|"))
_SUBJECT = r"(?:(?:an?|the)\s+)?(?P<{}>[\w.@/+'-]+(?:\s+[\w.@/+'-]+){{0,3}}?)"
_PART = rf"(?:the\s+)?(?P<part>[\w.@/+'-]+\s+(?:{KINDS}))\s+(?:of|in|for)\s+[^?]{{1,40}}?"
_ASKED = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:"
    rf"(?:what(?:'s|\s+(?:exactly\s+)?(?:is|are|was|were))|define|explain|describe)\s+(?:the\s+purpose\s+of\s+)?"
    rf"{_SUBJECT.format('thing')}"
    r"(?:\s+(?:used\s+)?for|\s+(?P<place>(?:in|within)\s+[^?]{1,40}))?"
    rf"|what\s+(?:does|do|did)\s+(?:{_PART}|{_SUBJECT.format('doer')})\s+(?:display|do|mean|print|show|stand\s+for)(?:\s+(?:in|with|within)\s+[^?]{{1,40}})?)\W*$",
    re.IGNORECASE,
)
_OF_ANY = re.compile(
    r"^\W*what(?:'s|\s+(?:is|are))\s+(?!the\b|.*['\u2019]s\b|.*\b(?:about|by|for|from|like|of|on|to|with)\W*$"
    r"|(?:allowed|available|covered|different|excluded|good|here|included|involved|it|missing|needed|new|next|possible"
    r"|provided|required|supported|that|there|this|wrong)\b|(?:at|in|inside|on|under)\s+(?:at|for|in|my|on|our|the|this|your)\b)",
    re.IGNORECASE,
)
"""Asks what a thing is; not what the thing of something else is."""
_SAYS = (
    r"(?:is|are|was|were)\s+(?:an?|another|the|one|any|each|what|how|when|where|used\s+(?:as|by|for|to)|defined|called)\b"
    r"|are\s+(?:[\w-]+\s+){0,2}?(?!(?:always|perhaps|sometimes)\b)[\w-]{2,}s\s+(?:for|from|in|of|on|that|to|used|where|which|with)\b"
    r"|means?\b|refers?\s+to\b|stands?\s+for\b|denotes?\b|represents?\b|(?:happens?|occurs?)\s+(?:if|when)\b"
    r"|(?:allow|enable|let)s?\s+(?:developers|one|people|users|you)\b"
    r"|(?:offer|provide)s?\s+(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:interface|means|mechanism|method|service|way)\b"
)
_ASKS_DOING = re.compile(r"\bdo\b(?:\s+in\b|\W*$)", re.IGNORECASE)
_DOES = (
    rf"(?!(?:{KINDS}|accept|allow|exit|fail|get|ha|i|need|require|return|run|support|take|use|wa|work)s\b)"
    r"(?-i:[a-z]{2,}[^\Wsu]s)\b"
)
"""A verb behind the name of what does it: "furl rolls the sail up", not "furl takes options"."""
_INTRODUCED = r"(?:(?!(?:after|before|if|once|unless|until|when|while)\b|(?:for|in)\s+\w+\s+\w+,)[^,.;:]{1,80},\s+)?"
"""Words before a definition: "As said above," but not "In this example," or a condition."""
_CALLED = r"(?:\b(?:is|are|was|were)|,)\s+(?:\w+\s+)?(?:called|known\s+as|termed)"
_WHATEVER = r"(?:^|[.!?]\s+)(?:an?|any|each|every)\s+(?:[\w-]+\s+){1,3}?(?:that|which|who)\s[^.,;:]{1,80}"
"""What a sentence begins with that gives a name to all that does something: "A boat that carries cars is a ferry."."""
_APPOSED = (
    r"(?:the\s+[^,.;:]{3,80},\s+)?an?\s+(?:(?!(?:and|or)\b)[\w-]+\s+){1,4}?(?:for|of|that|used|which)\b"
    r"(?![^.;:]{0,80}?\b(?:and|or)\s+(?:an?|my|our|some|the|their|your)\s)"
)
"""What says what a thing is behind its name: "built on NDS, the Net Drying Society's, a standard for racks".

It is no list of things: "a rope, a bottle of water and a map".
"""
_QUOTE = "[\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]?"
_QUOTED_COMMA = r"(?:,[\"\u201d]|[\"\u201d],)"
_KIND_OF_THING = r"(?:(?:an?|any|the)\s|(?:[\w-]+\s+)?[\w-]{2,}s\s+(?:for|of|that|to|used|which|with)\b)"
"""What says what a thing is behind "which is": "a set of sails, which are cloths that ..."."""
_THIS = re.compile(
    r"(?:this(?!\s+(?:\w+\s+)?(?:article|chapter|document|example|notebook|page|post|section|tutorial)s?\b)|it(?!\s+is\s+an?\s+(?:\w{0,40}error|mistake|(?:bad|common|good)\s+\w+)\b))\s+(?:is\s+(?:an?|the|used)\b|(?:[\w-]+\s+){0,2}?(?:provides|allows|lets|enables|describes)\b)",
    re.IGNORECASE,
)
_OF = r"\s+of\s+(?:an?|the|each|any)\s+[\w-]+(?:\s+[\w-]+)?"
_IN_FULL = r"[^\s().,;:]+(?:\s+[^\s().,;:]+){0,5}\s+"
_ALSO_CALLED = r"(?:abbreviated(?:\s+as)?|also\s+(?:called|known\s+as)|in\s+short|short)"
"""What stands between both names of a thing: "Low-density lipoprotein, also known as LDL, is a ..."."""
_NICKNAME = r"\s+[\"'\u2018\u201c][^\"'\u2019\u201d]{1,40}[\"'\u2019\u201d]"
_SHORT = r"(?:(?:short|abbreviated|abbr\.?|or|also)\W+)?"
"""What stands before a name in brackets behind the full one: "Low-density lipoprotein (short: LDL)"."""
_BESIDE = r"(?!(?:as|by|for|however|if|in|like|or|such|though|too|when|where|which|who)\b)"
"""Not so begins what a name is short for, or what it is: "SLAM, simultaneous localisation and mapping, ..."."""
_BEHIND_NAMES = frozenset(ending + kind for ending in ("", "s", "es") for kind in ("", *KINDS.split("|")))
_NUMBER = re.compile(
    r"\s*(?:(?i:chapter|section|part|appendix)\s+(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})*|[IVX]{1,5})[.:)]?"
    r"|[A-Z]{2,10}[ -]?\d{1,6}\s?[\u2014\u2013:-]"
    r"|(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*[.:)]?|(?:[A-Z]|[IVX]{1,5})[.:)])\s+(?=\S)"
)
"""The number of a heading or of a document: "2.1", "A.2.", "Chapter 3:", "IV.", "TR 12 \u2013"."""
_SITE = re.compile(r"\s+(?:[\u2014\u2013|]|--?)\s+.*|\(\d\w?\)(?:\s+Manual\s+Page)?$")
"""What a page's title says of the site: " \u2014 developers' guide 2.1 documentation", and a manual's "(1)"."""
_ABOUT = re.compile(
    r"^(?:(?:welcome\s+to|about|introducing|introduction\s+to|overview\s+of|understanding)\s+(?:(?:an?|the)\s+)?)?"
    r"|(?::\s+.*|(?:'s)?\s+(?:official\s+)?(?:basics|concepts|documentation|docs|guide|handbook|manual|overview"
    r"|reference|support))?[.!]?$",
    re.IGNORECASE,
)
"""What a title says around the name of its subject: "Welcome to the tide documentation!", "tide: know when to sail"."""
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_DECLARED = re.compile(r"^(?:class|enum|interface|module|namespace|object|record|struct|trait|type)\s+(?=\w)")
"""What a heading of source code begins with: "class Berth"."""
_INTRODUCTORY = re.compile(
    r"about|background|description|general|introduction|overview|purpose|summary|synopsis|what\s+(?:it|this)\s+is",
    re.IGNORECASE,
)
_IN_Y = re.compile(r"(\w{2,}[^\Waeiou_\d])(?:y|ie)", re.IGNORECASE)
"""A word that has another stem in the plural; without the "s" of that: "ferry", "ferrie"."""
_JOINT = re.compile(r"[\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[^\W_]+")
_MOST_JOINED = 3
_MOST_BESIDE = 2
"""Words of a heading beside the name of the thing that "this" below it speaks of."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What says what a thing is.

    Attributes:
        sentence: The beginning of a sentence about the thing: "A taint is a ...", "As said above, a taint is a ...".
        naming: What gives the thing its name in a sentence: "... are called taints".
        heading: A heading that names the thing; "This is a ..." below it speaks of the thing.
        thing: What the thing is called, in lower case and in one, without a final "s".
        bare: The same without the kind that stands before it: "assign" of "the function assign"; else the thing.
    """

    sentence: re.Pattern[str]
    naming: re.Pattern[str]
    heading: re.Pattern[str]
    thing: str
    bare: str

    def is_of(self, title: str) -> bool:
        """Return whether a title or a heading is the name of the thing, however its words are joined."""
        bare = bare_heading(title)
        bare = bare[article.end() :] if (article := _ARTICLE.match(bare)) else bare
        written = (title, bare, _ABOUT.sub("", bare), _DECLARED.sub("", bare))
        names = {joined(each).removesuffix("s") for each in written} - {""}
        return any(_is_behind(self.thing, name) or _is_behind(name, self.thing) or name == self.bare for name in names)

    def is_said_in(self, text: str) -> bool:
        """Return whether a sentence of a text begins with the thing and says what it is."""
        return any(map(self.sentence.match, _SENTENCE_END.split(text)))

    def stands_in(self, text: str, heading: str = "") -> bool:
        """Return whether a sentence of a text below that heading is a definition."""
        beside = self.heading.sub("", bare_heading(heading))
        named = beside != bare_heading(heading) and len(_WORD.findall(beside)) <= _MOST_BESIDE
        return (
            self.naming.search(text) is not None
            or self.is_said_in(text)
            or (named and _THIS.match(_SENTENCE_END.split(text, maxsplit=1)[0]) is not None)
        )


@lru_cache(KEPT_QUESTIONS)
def definition_of(question: str) -> Definition | None:
    """Return what a definition of the subject of a question looks like; None if the question asks for none."""
    if short := asked_in_full(question):
        return _of_short_name(short)
    asked = _ASKED.match(question.strip())
    if asked is None:
        return None
    named = next(group for group in ("thing", "part", "doer") if asked[group])
    words = (asked[named] if _is_one(asked, named) else asked[named].removesuffix("s")).split()
    subject = _written(words, kind_may_lack=named == "doer")
    place = rf"|\s+{_written(asked['place'].split(), kind_may_lack=False)}" if asked["place"] else ""
    called = rf"(?:{_IN_FULL}\({_SHORT}{subject}\)|{_QUOTE}{subject}{_QUOTE}(?:\s*\([^)]*\)|{_NICKNAME}|{_OF}{place})?)"
    aim = r"(?:main\s+)?(?:aim|goal|job|purpose|role)"
    purpose = rf"{aim}\s+of\s+(?:(?:an?|the)\s+)?{called}(?:\s+\w+)?\s+(?:is|are)\b"
    purpose += rf"|{subject}(?:\s+\w+)?['\u2019]s\s+{aim}\s+is\b"
    in_full = rf"{subject},\s+{_BESIDE}[^,.;:]{{3,80}},\s+[a-z]+s\b"
    by_both = rf"(?:[^\s().,;:]+\s+){{0,5}}[^\s().,;:]+,?\s+(?:or|{_ALSO_CALLED})\s+{subject},?\s+(?:is|are)\b"
    used = rf"(?:you\s+can\s+)?use\s+(?:the\s+)?{called}\s+to\b"
    said = rf"{_SAYS}|{_DOES}" if named == "doer" and _ASKS_DOING.search(question) else _SAYS
    says = rf"(?:(?:an?|the)\s+)?(?:{called}\s+(?:{said})|{purpose})|{in_full}|{by_both}|{used}"
    sentence = rf"(?:\d{{1,3}}\s+)?{_INTRODUCED}(?:{says})"
    naming = (
        rf"(?:{_CALLED}\s+(?:(?:an?|the)\s+)?|{_WHATEVER}\s+(?:is|are)\s+(?:an?\s+)?){subject}(?=\W*(?:[.,;:!?]|$))"
        rf"|\b{subject},\s+{_APPOSED}"
        rf"|\b{subject}(?:,|{_QUOTED_COMMA})\s+which\s+(?:is|are)\s+{_KIND_OF_THING}"
        rf"|[\"\u201c]{subject}{_QUOTED_COMMA}\s+which\s+\w"
    )
    return Definition(
        re.compile(sentence, re.IGNORECASE),
        re.compile(naming, re.IGNORECASE),
        re.compile(rf"\b{subject}\b", re.IGNORECASE),
        joined(" ".join(words)),
        joined(" ".join(words[len(words) > 1 and words[0].lower() in _KINDS :])),
    )


def _of_short_name(short: str) -> Definition:
    """Return what says what a short name means; its capitals count, for "OR" may be one, and "or" is not."""
    subject = rf"(?-i:{re.escape(short)})"
    return Definition(
        re.compile(rf"{_INTRODUCED}(?:(?:an?|the)\s+)?{_QUOTE}{subject}{_QUOTE}\s+(?:{_SAYS})", re.IGNORECASE),
        re.compile(in_full(short), re.IGNORECASE),
        re.compile(rf"\b{subject}\b"),
        joined(short),
        joined(short),
    )


def _written(words: Sequence[str], *, kind_may_lack: bool) -> str:
    """Return an expression for the name of a thing in the singular and plural; "furl command" may be written "furl"."""
    *name, kind = map(re.escape, words)
    if in_y := _IN_Y.fullmatch(kind):
        return r"\s+".join((*name, in_y[1])) + "(?:y|ies?)"
    if kind_may_lack and name and kind.lower() in _KINDS:
        return r"\s+".join(name) + rf"(?:\s+{kind}|(?:e?s)?)"
    return r"\s+".join((*name, kind)) + "(?:e?s)?"


def definition_of_any(question: str) -> Definition | None:
    """Return what a definition looks like where a question asks what a thing or a short name is, not what the thing of
    another is.
    """
    return definition_of(question) if _OF_ANY.match(question) or asked_in_full(question) else None


def _is_behind(whole: str, name: str) -> bool:
    """Return whether ``whole`` is ``name``, or that and what it is: "enginesfield" of "engines"."""
    return whole.startswith(name) and whole[len(name) :] in _BEHIND_NAMES


def _is_one(asked: re.Match[str], group: str) -> bool:
    """Return whether a question names one thing by its name, which may end in "s": "What is beets?"."""
    before = asked.string[asked.start() : asked.start(group)].lower().split()
    return bool(before) and before[-1] in ("is", "was", "does", "did", "what's")


def bare_heading(heading: str) -> str:
    """Return a heading or title without its number, and without the name of the site behind it."""
    number = _NUMBER.match(heading)
    return _SITE.sub("", heading[number.end() :] if number else heading)


def is_introductory(heading: str) -> bool:
    """Return whether a heading is that of the part of a section which says what its thing is: "2.1 Overview"."""
    return _INTRODUCTORY.fullmatch(bare_heading(heading).strip()) is not None


def joined(text: str) -> str:
    """Return the words of a text as one, in lower case: "fetchRetries" is "fetch-retries" and "fetch retries"."""
    return _JOINT.sub("", text).lower()


def joined_words(question: str) -> Iterator[str]:
    """Yield the words of a question, and up to three that follow each other as one; in lower case."""
    words = _WORD.findall(question.lower())
    for start in range(len(words)):
        for end in range(start + 1, min(start + _MOST_JOINED, len(words)) + 1):
            yield "".join(words[start:end])

"""What a question asks for: a kind of thing (money, a number, a time, a name), and a form of answer (a list).

The rules are for English. The kind of most questions, and of those in other languages, is unknown; nothing is expected
of their answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from pipelines.query.clock import CLOCK, OPENING_HOURS
from pipelines.query.makers import asks_who_made, names_maker, told_of_makers
from pipelines.query.measures import asks_quantity, measured, without_numbered
from pipelines.query.places import asks_where, tells_where
from pipelines.query.verdicts.names import capitalised, names

Kind = Literal["money", "number", "date", "time", "name"]
Form = Literal["definition", "list", "howto", "comparison", "yesno"]
KEPT_QUESTIONS = 64
"""Questions of which is kept what they ask for: an answer looks at its question a hundred times."""
_STEM, _ENDING = 4, 2
"""Letters of the least stem of a word, and of its ending."""

# Money: no pattern reads past its own beginning, where it could begin again; so its time is linear.
_WHAT_IS = r"\b(?:what|which)\s+(?:is|was|does|do|did|will|would)\b"
_ASKS_WHEN = (
    r"^\W*(?:(?:and|but|so)\s+)?when\b(?!.*,\s+(?:how|what|where|which|who|why)\b)|\bwhen\W*$"
    r"|\bwhen\s+(?:are|can|could|did|do|does|had|has|have|is|may|might|must|should|was|were|will|would)\b"
    r"|\b(?:as\s+of|ask(?:ed)?|by|clear|exactly|find\s+out|from|knows?|known|me|remember|says?|see|since|specif(?:y|ied|ies)"
    r"|starting|stated?|states|sure|till|until|us|(?:how|where|who)\s+and)\s+when\b"
)
"""A "when" that asks for a time; others say under which condition: "What is done when a boat leaks?"."""
_ASKS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "money",
        re.compile(
            r"\bhow\s+much\b(?:(?!\b(?:time|memory|disk|space|how\s+much)\b).)*\b(?:costs?|pay|paid|pays|charged?|earn|"
            r"expensive|price|fee|fine|salary|ticket|tickets)\b|\bhow\s+expensive\b"
            rf"|{_WHAT_IS}(?:(?!{_WHAT_IS}).)*\b(?:cost|price|fee|salary|wage|fare|tuition)\b"
            r"|\b(?:what|which)\s+(?:cost|price|fee|salary|wage|fare|tuition)\b"
            r"|^\W*what\s+(?:do|does|did|will|would)\b[^?]{1,120}\b(?:charge|earn|pay)\b(?!\s+(?:attention|back|heed|off|with)\b|\s+for\W*$)",
            re.IGNORECASE,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow\s+(?:many|much|long|far|old|often|frequently|large|big|fast|high|tall|deep|heavy|wide|thick)\b"
            r"|\b(?:what|which)\s+(?:percent(?:age)?|number|age|distance|amount|proportion|share|dose|temperature)\b"
            r"|\b(?:what|which)\s+(?:[\w.+#-]+\s+){0,3}?(?:port|release|versions?(?!\s+control))\b(?!\s+(?:date|day|notes?)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"^\W*(?:(?:and|so|but)\s+)?(?:since\s+)?when\s+(?:was|were|did)\b"
            r"|\b(?:what|which)\s+(?:year|date|century|decade|deadline)\b|\b(?:by|until)\s+when\b"
            r"|\bwhat(?:'s|\s+is)\s+the\s+(?:closing\s+date|deadline|due\s+date)\b|\bwhen\s+(?:is|are)\b.{0,80}\bdue\b",
            re.IGNORECASE,
        ),
    ),
    (
        "time",
        re.compile(rf"{_ASKS_WHEN}|\b(?:what|which)\s+(?:year|date|century|decade|day|month)\b", re.IGNORECASE),
    ),
    (
        "name",
        re.compile(
            r"\b(?:who|whose|whom|where)\b|\b(?:what|which)\s+(?:country|city|state|town|river|continent)\b",
            re.IGNORECASE,
        ),
    ),
)
_MODAL = (
    r"(?:can|could|may|might|must|should|needs?|has\s+to|is\s+(?:allowed|entitled|eligible))(?:n?['\u2019]?t|\s?not)?"
)
_ASKS_CONDITION = re.compile(
    rf"\W*(?:who\s+{_MODAL}\s+(?!(?:be|do|i|one|we|you)\b)\w"
    r"|when\s+(?:can|may|must|need|should)(?:n?['\u2019]?t|\s?not)?\s+\w)",
    re.IGNORECASE,
)
"""Not "Who can I ask?" and "Who must be told?", which ask for a name."""
_ASKS_WHO = re.compile(r"\W*who\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\b\w*\d\w*|\b(?:(?<!new )(?<!the )(?<!this )(?<!that )(?<!which )(?<!each )one(?! of\b)|zero|two|three|four|five"
    r"|six|seven|eight|nine|ten|eleven|twelve|hundreds?|thousands?|millions?|billions?|half|twice|once|dozens?|percent"
    r"|daily|weekly|monthly|yearly|annually)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9]\s?\d[\d,.]*|\d[\d,.]{0,30}\s?[$\u20ac\u00a3\u00a5\u20b9]"
    r"|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|CNY)\b|\b\d[\d,.]{0,30}\s(?:million|billion|dollars?|euros?|pounds?|francs?|cents?|yen|rupees?)\b"
    r"|[:;|(]\s?\d{1,7}\.\d\d(?![\d.%])|\bfree(?:\s+of\s+charge)?\b|\b(?:prices?|costs?|fees?|fares?|salary|rate)\b[^.\n]{0,40}\d[\d,.]*"
    r"|[$\u20ac\u00a3\u00a5\u20b9]\)?(?:\s?/\s?\w{1,10})?:(?=[^\n]{0,400}\d)",
    re.IGNORECASE,
)
"""Amounts; a column whose name ends with a currency holds them."""
_WEIGHED = re.compile(r"\bweigh[^.\n]{0,200}|\bpounds?\s?\((?=\d)", re.IGNORECASE)
"""Pounds that are no money."""
_PERIOD = r"(?:year|month|week|day|hour|minute)s?"
_CUT_SHORT = (
    r"(?-i:\b(?:Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thu(?:rs?)?|Fri)\b"
    r"|\b(?:Mar|Sat|Sun)\b(?=[.,]?\s*\d)|\d\s+(?:Mar|Sat|Sun)\b)"
)
"""Months and days of the week; "Mar" and "Sun" also begin other names."""
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d\d)s?\b|\b\d{1,4}(?:st|nd|rd|th)\b|\b\d{1,4}\s*(?:B\.?C|A\.?D|B?CE)\b|\b\d{4}[./-]\d{1,2}[./-]\d{1,2}\b"
    r"|\b\d{1,2}\.\d{1,2}\.\d{4}\b|\b\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d\d)\b"
    r"|\b(?i:january|february|april|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|today|yesterday|easter|christmas)\b|\b(?:March|May)\b"
    rf"|\b(?i:centur(?:y|ies)|decades?|{_PERIOD}\s+(?:after|ago|before|earlier|into|later|of|prior|since)|years?\s+old"
    rf"|(?:after|before|by|every|following|in|last|later|next|previous|same|since|that|until|within)\s+(?:[\w-]+\s+){{0,2}}?{_PERIOD})\b|{_CUT_SHORT}"
)
_DEADLINE = re.compile(r"\b(?:by|until)\s+when\b|\bdeadline\b|\b(?:closing|due)\s+date\b|\bdue\W*$", re.IGNORECASE)
_DAY = re.compile(
    r"\b(?i:january|february|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day|today|tomorrow)\b|\b(?:March|May)\b|\b\d{4}-\d{1,2}-\d{1,2}\b"
    rf"|\b\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d\d)\b|\b\d{{1,3}}\)?\s+(?:\w+\s+)?{_PERIOD}\b|{_CUT_SHORT}"
    rf"|{CLOCK}"
)
"""A day, a number of days until one, or an hour: an answer about a deadline has one of them."""
_TIME = re.compile(
    r"\b(?:1\d{3}|20\d\d)s?\b|\b\d+(?:st|nd|rd|th)\b|\b\d{1,4}\s*(?:BC|AD|CE|BCE)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|decades?|years?|months?|weeks?|days?|hours?"
    r"|minutes?|seconds?|spring|summer|autumn|winter|morning|evening|night|before|after|during|until|while|when)\b|"
    + "|".join((_CUT_SHORT, CLOCK, OPENING_HOURS)),
    re.IGNORECASE,
)

_BEGINNINGS = (
    "Accepts|Adds|Allows|Applies|Automatic|Checks|Closes|Contains|Controls|Converts|Counts|Creates|Default|Defines|Deletes"
    "|Determines|Disables|Displays|Enables|False|Forces|Gets|Gives|Holds|Ignores|Indicates|Installs|Keeps|Limits|Lists|Loads"
    "|Makes|Matches|Off|On|Only|Opens|Optional|Prevents|Prints|Provides|Reads|Removes|Replaces|Required|Requires|Resets"
    "|Returns|Runs|Saves|Selects|Sends|Sets|Shows|Skips|Sorts|Specifies|Starts|Stops|Stores|Tells|True|Turns|Unless"
    "|Until|Updates|Uses|Waits|When|Whether|Writes"
)
_DESCRIPTION_START = re.compile(
    rf"(?:^\W*|[.!?:]\s+)(?:{_BEGINNINGS})\s+(?=(?:all|an?|any|each|every|its|that|the|these|this|those|unless|until|your)\b)",
    re.MULTILINE,
)
"""The beginning of the description of a setting or a command, which is no name: "Sends a mail", "Off until spring"."""
_FILE = re.compile(r"\b\w[\w-]{0,60}\.[a-z]{1,5}\b")
"""The name of a file: its capitals do not make it a name."""
_WHO = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)
_ADDRESSEE = re.compile(
    r"(?<![\w@.+/-])@(?=[A-Za-z])[\w-]{1,60}(?:/[\w-]{1,60})?+(?![\w(@])"
    r"|(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[A-Za-z]{2,20}\b"
)
"""The handle of a person or a team ("@anna", "@port/divers"), or an address of mail."""
_DECORATOR = re.compile(r"^[ \t]*@\S+[ \t]*$(?=\n[ \t]*\S)", re.MULTILINE)
"""A line of code above what it decorates, which is no handle."""
_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"\b[A-Z]\w*")
_WITH_CAPITALS = (
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat internet web ai api cli cpu css csv gui "
    "html http https id json pc pdf sql ui url xml yaml "
    "aud cad chf cny czk dkk eur gbp huf inr jpy nok nzd pln sek usd vat"
)
_NOBODY = frozenset(_WITH_CAPITALS.split())
"""What is neither a person nor a place, though written with a capital."""
_LABEL_START = re.compile(
    r"(?:^[^\w\n]*|[.!?]\s+)[A-Z][a-z]+(?=\s+(?!(?:adds|asks|notes|replies|says|thinks|writes)\b)[a-z]+:\s)",
    re.MULTILINE,
)
"""The beginning of a label of two words, which is no name: "Special interest: knots"."""
_WORKING = re.compile(
    r"(?:^[^\w\n]*|[.!?:]\s+)(?:Available|Fits|Leads|Looks\s+after|Offers|Responsible|Runs|Speaks|Specialises|Teaches|Trains|Works)\s",
    re.MULTILINE,
)
"""What a line on somebody begins with who is named above it: "Works Mon, Tue."."""
_ITEM_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
_HOW_MUCH_IS = re.compile(
    r"\bhow\s+much\s+(?:are|is|was|were)\b"
    r"(?!.*\b(?:age|delay|duration|holidays?|leave|longer|notice|period|sleep|term|time|vacation)\b)",
    re.IGNORECASE,
)
_LASTING = re.compile(rf"\b\d[\d.,]{{0,12}}[\s-]?(?:{_PERIOD}|mins?|hrs?)\b(?!\s?of)", re.IGNORECASE)
"""How long, which is not how much: "The wash takes 75 minutes"."""
_HOW_MANY = re.compile(r"\bhow\s+many\b", re.IGNORECASE)
_APPROXIMATELY = (
    "About|Almost|Approximately|Around|At|Between|By|From|In|Nearly|Only|Over|Roughly|Some|The|To|Under|With"
)
_COUNTS_NOTHING = re.compile(
    rf"\b(?!(?:{_APPROXIMATELY})\b)[A-Z]\w*\s+\d+\.\d[\w.]*|\b[a-z]+\d\w*|\b\d{{1,4}}(?:st|nd|rd|th)\b"
    r"|\b(?i:versions?|releases?|chapters?|sections?|figures?|tables?|steps?|pages?|parts?)\s+\d[\w.]*"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d[\w.]*"
    r"|\b(?i:since|in|until)\s+(?:1\d{3}|20\d\d)\b|(?<![\d.])\d[\d.]*+\s?(?:%|percent\b)"
    r"|\b\d{1,9}\.\d{1,9}\b(?!\s?[^\W\d_])|\b(?i:annually|daily|monthly|once|twice|weekly|yearly)\b"
)
"""A version ("Debian 0.93"), a name ("md2pdf"), an ordinal, a year, a chapter, a share, how often: no count."""
_HOW_OFTEN = re.compile(
    r"\bhow\s+(?:often|frequently)\b(?!.*\b(?:before|until|repeat(?:ed)?|(?:re)?tr(?:y|ies|ied))\b)", re.I
)
"""Not "How often is it tried?", which asks for a number."""
_FREQUENCY = re.compile(
    r"\b(?:(?:bi|semi)?-?annual(?:ly)?|always|daily|frequency|hourly|interval|monthly|never|nightly|once"
    r"|periodically|quarterly|rarely|seldom|twice|weekly|whenever|yearly)\b"
    r"|\b(?:each|every)\s+(\w+)|\b(?:a|per)\s+(?:second|minute|hour|day|week|month|quarter|year|decade|century)\b|\btimes\b",
    re.IGNORECASE,
)
_CHANGED = r"\b(?:added|deprecated|discontinued|dropped|introduced|removed|renamed|replaced|retired)\b"
_ASKS_CHANGE = re.compile(rf"\bwhen\b.*{_CHANGED}", re.IGNORECASE)
_IN_VERSION = re.compile(
    rf"{_CHANGED}[^.;\n]{{0,40}}?\s(?:as\s+of|from|in|since|with)\s+(?:[A-Za-z]+\s+){{0,2}}?v?(\d{{1,3}}\.\d[\w.]*)",
    re.IGNORECASE,
)
"""A change and its version, which tell when it was: "dropped in 1.22.0"."""
_NAMES = {"money": _MONEY, "number": _NUMBER, "date": _DATE, "time": _TIME}
_DO = (
    "accept|affect|allow|appear|apply|belong|bring|cause|change|come|consist|contain|cost|count|deal|decide|define|depend"
    "|determine|develop|eat|exist|fail|fall|feed|follow|get|give|go|grow|happen|help|hold|improve|include|increase|indicate"
    "|influence|interact|involve|keep|lead|let|lie|live|lower|make|matter|mean|need|occur|offer|play|point|prevent|produce"
    "|protect|provide|raise|receive|reduce|refer|remain|require|run|serve|ship|show|speak|store|suggest|suit|support|take"
    "|tell|tend|treat|trigger|understand|use|work|worsen"
)
"""What several things do: after one thing, these have an "s"."""
_MORE = "bigg|cheap|fast|heavi|high|larg|light|long|low|new|old|quick|short|slow|small|strong"
COMPARATIVE = rf"(?:better|less|more|worse|(?:{_MORE})er)"
_NO_THING = r"(?:does|is|was|has|happen(?:s|ed)|caus(?:es|ed)|makes|made|if|when)\b"
"""What may follow "what" and is no name of a thing: "What happens when ports are closed?"."""
_COMMON = (
    "available|best|common|frequent|good|important|known|likely|main|major|popular|possible|recommended|required|supported"
    "|typical|usual|valid"
)


_FORMS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\b(?:differences?|differs?|different(?=\s+(?:about|between|from|in|than|to)\b|\W*$)|compared?|comparison"
            r"|versus|vs|rather than|instead of|"
            r"distinguish\w*)\b"
            rf"|\b{COMPARATIVE}\b.{{0,80}}\b(?:than|or)\b|^\W*(?:is|are|was|were|which)\b.{{0,80}}\bor\b.{{0,80}}\b{COMPARATIVE}\b",
            re.IGNORECASE,
        ),
    ),
    (
        "list",
        re.compile(
            r"^\W*(?:(?:and|so|then)\s+)?(?:list|name|enumerate)\b"
            r"|\b(?:what|which)\s+(?:\w+\s+){0,3}?(?:(?:type|kind|way|option|level|form|sort|reason)(?:s\b|\s+of\b)|"
            r"(?:steps|methods|modes|classes|categories|values|things|requirements|features|examples|conditions|phases|"
            r"stages)\b)"
            rf"|\b(?:what|which)\s+(?:(?!{_NO_THING})[\w.+#-]+\s+){{0,2}}?(?!{_NO_THING}|this)[\w-]{{2,}}[^\Wsu]s\s+(?:are|were|"
            rf"do|does|can|could|did|must|may|should|will|would|have|has|of|for|there|that|{_DO})\b"
            r"|\bwhat(?:\s+comes|(?:['\u2019]s|\s+is)(?:n['\u2019]t|\s+not)?\s+(?:covered|excluded|included|supplied))"
            r"\s+(?:by|from|in|with)\b"
            rf"|\bwhat are (?:the|some|all|{_COMMON}\s+(?:[\w-]+\s+){{0,2}}?[\w-]{{2,}}[^\Wsu]s)\b"
            r"|\bwhich of\b|\bwhat (?:all )?can (?!i )"
            r"|\bin (?:what|which) order\b|\bwhat is the (?:order (?:in|of(?! magnitude))|precedence (?:between|of))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "howto",
        re.compile(
            r"\bhow\s+(?:to|(?:do|can|could|should|would|must|may|might)\s+(?:i|we|you|one|people|users?)|does one)\b"
            r"|\bwhat (?:do|should|must|can) (?:i|we|you|one) (?:have to )?do\b|\bsteps?\s+(?:to|for)\b|\bway to\b",
            re.IGNORECASE,
        ),
    ),
    (
        "definition",
        re.compile(
            r"^\W*(?:(?:and|so|but)\s+)?(?:what(?:'s|\s+(?:exactly\s+)?(?:is|are|was|were))|who\s+(?:is|was))\s+"
            r"(?:(?:an?|the)\s+)?[\w.@/+'-]++(?:\s++[\w.@/+'-]++){0,3}\s*+\??\s*+$"
            r"|\bwhat (?:does|do) .{1,60}\b(?:mean|stand for)\b|\bmeant by\b"
            r"|^\W*(?:define|explain|describe)\b|\bdefinition of\b",
            re.IGNORECASE,
        ),
    ),
    (
        "yesno",
        re.compile(
            r"^\W*(?:(?:and|so|but)\s+)?(?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|had|must|may)\b",
            re.IGNORECASE,
        ),
    ),
)
_VERB = (
    r"(?:are|is|was|were|do|does|did|can|could|must|may|should|will|would|have|has|had|exist|need|make|deal|there|that"
    r"|apply|come|ship|of|for|in|to|on|with|from|at|by)\b"
)
_SEVERAL = r"(?:the|some|all|different|various|two|three|four|five|six)"
_THING = re.compile(
    rf"\b(?:what|which)\s+(?:(?:is|are|was|were)\s+)?(?:{_SEVERAL}\s+)*"
    rf"((?:(?!{_VERB})[\w'/.-]+\s+){{0,3}}?(?!{_VERB})[\w'/.-]+)(?=\s+{_VERB}|\W*$|(?<=[^\Wsu]s)\s+(?:{_DO})\b)",
    re.IGNORECASE,
)
_ANY_THING = re.compile(r"(?:type|kind|way|sort|option|reason|part|step|thing|value|form)s?", re.IGNORECASE)


@lru_cache(KEPT_QUESTIONS)
def question_thing(question: str) -> str:
    """Return the words for what is asked: "access modes" of "Which access modes does a volume offer?".

    They are empty where the question does not name it, or only as "kinds" or "parts", which an answer need not say.
    """
    found = _THING.search(question)
    return "" if found is None or _ANY_THING.fullmatch(found[1]) else found[1]


def thing_stem(question: str) -> str:
    """Return how the last word for what is asked begins, in lower case, in whatever form it is written; maybe empty."""
    *_, thing = question_thing(question).lower().split() or [""]
    ending = _ENDING + thing.endswith("ies")  # "entries" of "entry"
    return thing[: max(_STEM, len(thing) - ending)]


@lru_cache(KEPT_QUESTIONS)
def question_form(question: str) -> Form | None:
    """Return the form of answer that a question asks for; None if its words do not say."""
    return next((form for form, asks in _FORMS if asks.search(question)), None)


@lru_cache(KEPT_QUESTIONS)
def question_kind(question: str) -> Kind | None:
    """Return the kind of thing that a question asks for; None if its words do not say."""
    if asks_condition(question) and _ASKS_WHO.match(question):
        return None
    kind = next((kind for kind, asks in _ASKS if asks.search(question)), None)
    return "number" if kind is None and asks_quantity(question) else kind


def asks_condition(question: str) -> bool:
    """Return whether a question asks of whom or when something may or must be so: conditions say it, and no name."""
    return _ASKS_CONDITION.match(question) is not None


def names_new(kind: Kind, text: str, question: str) -> bool:
    """Return whether ``text`` names something of ``kind`` that the question does not name."""
    if kind == "name":
        if asks_who_made(question):
            return names_maker(question, text) or _tells_name(question, told_of_makers(text))
        is_named = bool(_names_in(text) - set(_WORD.findall(question.lower()))) or _tells_addressee(text, question)
        return is_named or (asks_where(question) and tells_where(text, question))
    if kind == "number" and _HOW_OFTEN.search(question):
        return _tells_frequency(text, question.lower())
    if kind in ("date", "time") and _tells_version_of_change(text, question):
        return True
    pattern = _NAMES[kind]
    named = {found[0].lower() for found in pattern.finditer(question)}
    counted = _ITEM_NUMBER.sub("", measured(question, text)) if kind == "number" else text
    if kind == "date" and _DEADLINE.search(question):
        return any(found[0].lower() not in question.lower() for found in _DAY.finditer(text))
    if kind == "number" and _HOW_MUCH_IS.search(question):
        counted = _LASTING.sub(" ", counted)
    if kind == "money":
        counted = _WEIGHED.sub(" ", text)
    if kind == "number" and (many := _HOW_MANY.search(question)):
        counted = _COUNTS_NOTHING.sub(" ", without_numbered(question[many.end() :], counted))
    return any(found[0].lower() not in named for found in pattern.finditer(counted))


def _tells_version_of_change(text: str, question: str) -> bool:
    """Return whether it is asked when something changed, and a text says in which version that the question lacks."""
    asks = _ASKS_CHANGE.search(question) is not None
    return asks and any(version not in question for version in _IN_VERSION.findall(text))


def _tells_frequency(text: str, asked: str) -> bool:
    """Return whether a text says how often; "every boat" does not where the boats are asked about."""
    return any(found[1] is None or found[1].lower() not in asked for found in _FREQUENCY.finditer(text))


def _tells_name(question: str, sentences: Iterable[str]) -> bool:
    """Return whether one of some sentences has a name that the question has not; its first word may be none."""
    asked = question.lower()
    return any(name.lower() not in asked for sentence in sentences for name in names(sentence))


def _tells_addressee(text: str, question: str) -> bool:
    """Return whether a text has a handle or an address of mail that a question about somebody does not name."""
    if "@" not in text or _WHO.search(question) is None:
        return False
    asked = {found[0].lower() for found in _ADDRESSEE.finditer(question)}
    return any(found[0].lower() not in asked for found in _ADDRESSEE.finditer(_DECORATOR.sub("", text)))


def _names_in(text: str) -> frozenset[str]:
    """Return the words of a text that may name somebody or a place; not what it writes without a capital too."""
    plain = {word.removesuffix("s") for word in _WORD.findall(_CAPITALS.sub(" ", text))}
    for no_name in (_FILE, _DESCRIPTION_START, _LABEL_START, _WORKING):
        text = no_name.sub(" ", text)
    found = capitalised(text) - _NOBODY
    return frozenset(word for word in found if word.removesuffix("s") not in plain)

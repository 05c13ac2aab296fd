"""The units that a question may ask for: a dose is measured in milligrams, not in "once a day".

The rules are for English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_OFTEN = re.compile(r"\b(?:annually|daily|monthly|once|twice|weekly|yearly)\b", re.IGNORECASE)
_QUANTITIES = (
    "age|altitude|amount|budget|capacity|density|depth|diameter|distance|dosage|dose|duration|elevation|enrol?lment"
    "|headcount|height|length|lifespan|life\\s+expectancy|limit|mass|maximum|minimum|number|percentage|population"
    "|revenue|size|speed|temperature|turnover|voltage|wavelength|weight|width"
)
_QUANTITY = re.compile(
    r"\bwhat(?:'s|\s+(?:is|are|was|were))\s+(?:(?:the|its|their|my|your)|[\w-]+['\u2019]s?)\s+(?:[\w-]+\s+){0,3}?"
    rf"(?:{_QUANTITIES})(?=\s+(?:a|an|at|for|from|in|of|on|per|that|the|to)\b|\W*$)"
    rf"|\bwhat(?:'s|\s+is)\s+the\s+(?:largest|longest|maximum|minimum|smallest)\s+(?:[\w-]+\s+){{0,2}}?(?:{_QUANTITIES})\b",
    re.IGNORECASE,
)
_PHONE = (
    r"(?<!\d)\(?\d(?:[\s()./\u2010-\u2013-]{0,3}\d){5,14}(?!\d)"
    r"|\b(?i:call|dial|ext|extension|fax|number|phone|tel|telephone)(?:\s+is)?[\s.:]{1,3}\d{2,5}(?![\w-]|\.\d)"
)
"""A number in full, or a short one behind a word that says so: "dial 214"."""
_ADDRESS = r"[\w.+-]@\w|[\w.+-]\s?[(\[]at[)\]]\s?\w"
_NO_CONTACT = r"\b(?i:e-?mail|extension|fax|mail|mobile|phone|tel|telephone)\b[^:;\n]{0,20}:\s?none\b"
"""An empty cell of a row."""
_LICENCES = (
    r"(?i:licen[cs]|copy(?:left|right)|public\s+domain|creative\s+commons|open.source|proprietary"
    r"|\b(?:categor(?:y|ies)|certificates?|class(?:es)?|permits?)\b"
    r"|\b(?:available|distributed|provided|published|released)\s+under\b)"
    r"|\b(?:[A-Z]{1,3}PL|MIT|BSD|Apache|CC0|CC[ -]BY|CDDL|ISC|OFL|PSF)\b"
)
"""What says under which licence a work is, or of which class the licence of a driver is."""
_SYSTEMS = (
    r"(?i:\b(?:aix|android|bsd|darwin|debian|fedora|gentoo|haiku|linux|macintosh|posix|qnx|red\s?hat|rhel"
    r"|solaris|suse|ubuntu|unix|vxworks|windows)(?![^\W\d_])|(?:free|net|open)bsd|\bopenvms"
    r"|\b(?:all|any|each|every)\s+(?:[\w-]+\s+)?(?:platform|system)s?\b|\b(?:cross-platform|platform-independent))"
    r"|(?i:\b(?:chrome|i|mac|ipad|tv|watch)\s?os\b)|OS(?:/\d)?\b|\b(?:Alpine|Arch|GNU|VMS)\b"
)
"""Many names of systems end in the letters "OS"; some are words or ends of words without their capitals."""
_RATES = (
    r"(?i:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|both|couple|dozens?|each|every|free|half|hundreds?|hourly|daily|nightly"
    r"|weekly|monthly|quarterly|yearly|annual(?:ly)?|included|no\s+(?:cost|limit|more)|none|nothing|once|single|thousands?"
    r"|twice|unlimited)\b|\bas\s+(?:many|much|often)\s+as\b|\bany\s+number\b)"
)
_VERB = r"(?:are|can|could|did|do|does|has|have|is|may|must|needs?|runs?|should|supports?|was|were|will|works?|would)"
_PERIOD = r"(?:second|minute|hour|day|night|week|month|quarter|year)"
_WHAT_IS = r"\b(?:which|what(?:['\u2019]s|\s+is)(?:\s+(?!(?:about|by|for|in|of|on|to|with)\b)[\w'\u2019-]+){0,6})\s+"
"""What asks for a number or an address itself: "the length of an address" is neither."""
_OF_WHOM = r"(?=\s+(?:of|for)\b|\W*$)"
_NEEDED = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(says))
    for asks, says in (
        (rf"{_WHAT_IS}(?:phone|telephone|fax|mobile)\s+number{_OF_WHOM}", f"{_PHONE}|{_NO_CONTACT}"),
        (rf"{_WHAT_IS}e-?mail\s+address{_OF_WHOM}", f"{_ADDRESS}|{_NO_CONTACT}"),
        (
            r"\b(?:what|which)\s+(?:(?:open|software|source)[ -]){0,2}licen[cs]e\s+"
            r"(?:(?:did|do|does)\s[^?]{1,60}\s(?:carry|have|use)\b"
            r"|(?:is|are)\s[^?]{1,60}\s(?:available|distributed|licen[cs]ed|provided|published|released|under)\b)",
            _LICENCES,
        ),
        (rf"\b(?:what|which)\s+operating\s+systems?(?:\s+{_VERB}\b|\W*$)", _SYSTEMS),
        (
            rf"\bhow\s+(?:many|much)\s[^?]{{1,60}}?\s(?:an?|each|every|per)\s+{_PERIOD}\b",
            _RATES,
        ),
    )
)
"""What some questions ask for that can be said in one form only, and that form."""
_UNITS = tuple(
    (re.compile(rf"\b(?:{asks})\b", re.IGNORECASE), re.compile(says, re.IGNORECASE))
    for asks, says in (
        (
            "dosage|dose",
            r"\b(?:\d[\d.,]{0,20}|half|one|two|three)\s?(?:mg|mcg|\u00b5g|g|ml|iu|drops?|grams?|micrograms?|milligrams?"
            r"|millilitres?|milliliters?|pills?|tablets?|units?)\b|\((?:mg|mcg|\u00b5g|g|ml|iu)\):\s\d",
        ),
        (
            r"how\s+(?:heavy|much\s+(?:(?!how\b)[\w-]+\s+){1,6}weigh)|weight",
            r"(?:\b|(?<=[\d_]))(?:g|grams?|kg|kilos?|kilograms?|lbs?|ounces?|oz|pounds?|stones?|t|tons?|tonnes?)\b"
            r"|\bweights?:\s\d",
        ),
        (r"(?:phone|telephone|fax|mobile)\s+numbers?", _PHONE),
        (r"(?:what|which)\s+(?:[\w.+#-]+\s+){0,3}?port", r"(?<![\w.])\d{1,5}(?![\w-]|\.\d)"),
        (
            r"(?:attachment|file|upload)\s+size|size\s+of\s+(?:an?|any|the)\s+(?:attachment|file|upload)",
            r"(?:\b|(?<=[\d_]))(?:[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?)\b|\d\s?[kmgt]\b|\b\d{6,15}\b|\bunlimited\b",
        ),
        (
            r"how\s+much\s+(?:(?:disk|hard|free)\s+)?(?:memory|ram|space|storage)",
            r"(?:\b|(?<=[\d_]))(?:[kmgt]i?b?|(?:kilo|mega|giga|tera)?bytes?)\b|%|\bper\s?cent\b|\b(?:half|no|unlimited)\b",
        ),
        (
            r"how\s+long\s+(?:can|could|may|must|should)\s+(?:(?!how\b)[\w-]+\s+){1,4}?(?:address|code|comment|description"
            r"|headline|id|key|label|line|message|name|passphrase|password|phrase|pin|summary|tag|text|title|token"
            r"|username)s?\s+be(?=\W*$)",
            r"\d\s?(?:[cm]?m|[kmg]b|cent\w+|feet|ft|inch\w*|met(?:er|re)s?|millimet\w+)\b"
            r"|\b(?:bits?|bytes?|chars?|characters?|digits?|letters?|lines?|pages?|symbols?|words?)\b",
        ),
        (r"how\s+(?:cold|hot|warm)|temperature", r"\u00b0|\bdegrees?\b|\d\s?[CFK]\b"),
        (
            r"how\s+long\s+(?:can|do|does|did|will)\s+(?:(?!how\b)[\w-]+\s+){1,6}(?:last|live|take)|duration|lifespan"
            r"|life\s+expectancy",
            r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?|centur(?:y|ies)|lifetimes?"
            r"|overnight|until|forever)\b|\d\s?(?:h|min|ms|s)\b",
        ),
        (
            r"(?:what|which)\s+(?:[\w.+#-]+\s+){0,2}?(?:releases?|versions?(?!\s+control))",
            r"(?<![\d.])v?\d+(?:\.(?:\d+|x\b))+|\b(?:versions?|releases?)\W{0,4}\d"
            r"|\b\d+(?:\+|\s+(?:and|or)\s+(?:above|earlier|higher|later|newer|older|up)\b)"
            r"|\b(?!(?:bug|chapter|figure|issue|page|part|pep|rfc|section|step|table|ticket)\b)(?-i:[A-Z][\w.+-]*)\s\d{1,3}\b",
        ),
    )
)
_PLURAL = re.compile(r"\b([^\W\d_]{3,30})(?<!s)s\b")


def asks_quantity(question: str) -> bool:
    """Return whether a question asks what the dose, the limit or another quantity of something is."""
    return _QUANTITY.search(question) is not None


def lacks_needed(question: str, texts: Iterable[str]) -> bool:
    """Return whether no text has what a question asks for that can be said in one form only.

    That is the telephone number or the address of somebody, or that there is none, the licence of a work, the name of
    an operating system, or how many there are in a period.
    """
    says = next((says for asks, says in _NEEDED if asks.search(question)), None)
    return says is not None and not any(map(says.search, texts))


def measured(question: str, text: str) -> str:
    """Return the figures of a text with the units that a question asks for, and of other questions the whole text.

    How often something is done is no quantity of it.
    """
    says = next((says for asks, says in _UNITS if asks.search(question)), None)
    if says is not None and says.search(text) is None:
        return ""
    return _OFTEN.sub(" ", text) if asks_quantity(question) else text


def without_numbered(asked: str, text: str) -> str:
    """Return a text without the numbers of single things, "Exit code 4", of which is asked how many there are.

    The things are the first word in the plural of ``asked``, what a question says behind "how many".
    """
    found = _PLURAL.search(asked)
    return re.sub(rf"\b{found[1]}\s\d{{1,4}}\b(?![.,]?\d)", " ", text, flags=re.IGNORECASE) if found else text

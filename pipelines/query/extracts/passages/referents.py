"""What prose refers back to: the sentence, the list or the code right above it, without which it is not understood.

The rules are for English.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.definitions import KINDS
from pipelines.query.extracts.passages.fillers import PAGES, is_filler
from pipelines.query.extracts.passages.groups import joined
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import refers_back, sentences_in, understood_from
from pipelines.types import Span

_MOST_WORDS = 45
"""Of what is shown before an extract."""
_MOST_BLOCKS = 12
"""Of a list or code that is shown so."""
_JUDGED = (
    "advisable|advised|assumed|bad|best|better|common|desirable|difficult|easier|easy|essential|expected|good|hard|helpful"
    "|important|impossible|likely|necessary|possible|recommended|safer?|sometimes|suggested|true|useful|wise|worth"
)
_REFERS_TO_NOTHING = re.compile(
    rf"it(?:['\u2019]s|\s+(?:is|was|(?:can|may|might|will|would)\s+be))\s+(?:\w+\s+){{0,2}}?(?:{_JUDGED})\b"
    r"|it\s+(?:(?:can|could|may|must|should)\s+(?:\w+\s+)?be\s+(?:emphasi[sz]ed|mentioned|noted|remembered|said|stressed)"
    r"|(?:appears|follows|seems)\s+that|turns\s+out)\b"
    r"|those\s+(?:of\s+(?:us|you)|that|who|whose|with)\b|such\s+as\b|so\s+that\b"
    rf"|(?:this|these)\s+(?:{PAGES}|(?:[\w-]+\s+)?(?:{KINDS}|api|distribution|feature|hook|manual|program|software)s?)\b",
    re.IGNORECASE,
)
"""How prose begins that looks as if it referred back: "It is important to ...", "Those who sail ...", "This page ...".

What kind of thing "this option" is, the heading says.
"""


def with_referent(passage: Passage, span: Span, shown: str) -> tuple[Span, str]:
    """Return prose with what stands right above it, if that is short and the prose begins by speaking of it."""
    blocks = passage.stored.blocks
    at = bisect_left(blocks, span.start, key=lambda block: block.span.start)
    if passage.kind != "sentences" or not (0 < at < len(blocks)) or blocks[at].span.start != span.start:
        return span, shown
    if not refers_back(shown) or _REFERS_TO_NOTHING.match(shown) or blocks[at].kind != "paragraph":
        return span, shown
    above = _prose_above(passage, at) if blocks[at - 1].kind == "paragraph" else _group_above(passage, at)
    if above is None:
        return span, shown
    start, told = above
    return Span(start, span.end), f"{told}{shown}"


def _prose_above(passage: Passage, at: int) -> tuple[int, str] | None:
    """Return where the last sentence of the paragraph above begins, or what that refers back to, and all from there."""
    before, shower = passage.stored.blocks[at - 1], ExtractRenderer(passage.stored.text)
    if before.level != passage.stored.blocks[at].level or is_filler(shower.line(before.span), passage.headings):
        return None
    sentences = sentences_in(shower.text, before.span)
    first = understood_from(len(sentences) - 1, [shower.line(one) for one in sentences]) if sentences else 0
    told = " ".join(shower.line(one) for one in sentences[first:])
    return (sentences[first].start, f"{told} ") if 0 < word_count(told) <= _MOST_WORDS else None


def _group_above(passage: Passage, at: int) -> tuple[int, str] | None:
    """Return where the list or the code above begins, with what leads into it, and all of that."""
    blocks, shower = passage.stored.blocks, ExtractRenderer(passage.stored.text)
    first = at - 1
    while first > 0 and at - first <= _MOST_BLOCKS and joined(shower.text, blocks[first - 1], blocks[first]):
        first -= 1
    if blocks[first].kind not in ("paragraph", "item", "code") or blocks[at - 1].kind not in ("item", "code"):
        return None
    told = shower.blocks(blocks[first:at])
    return (blocks[first].span.start, f"{told}\n") if word_count(told) <= _MOST_WORDS else None

"""The confidence of an answer, in 0..1: the chance that it is right, as a calibration reckons it from its signals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipelines.profile.calibration import OF_CHOICE, Calibration
from pipelines.query.extracts.certainty import least_sure, most_sure
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.mismatch import is_off_subject, tells_one_side
from pipelines.query.extracts.reader import Read
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.measures import lacks_needed
from pipelines.types import Claim, Hit, Verdict

_WORD = re.compile(r"\w+")
_BRIEF = 4  # words


@dataclass(frozen=True, slots=True)
class ConfidenceEstimate:
    """A confidence, in 0..1, and the signals that it was reckoned from; there are none where nothing was found."""

    confidence: float
    signals: Mapping[str, float] = field(default_factory=dict)


NOTHING_FOUND = ConfidenceEstimate(0.0)


class Confidence:
    """Reckons confidences; see `pipelines.profile.calibration` for what the signals say.

    Args:
        calibration: Weighs the signals.
        lexicon: What the words of questions stand for.
        check: Reads what is shown beside the question, and gives logits.
    """

    def __init__(self, calibration: Calibration, lexicon: Lexicon = NO_LEXICON, check: Read | None = None) -> None:
        self._calibration = calibration
        self._lexicon = lexicon
        self._check = check

    def of_evidence(self, question: str, hits: Sequence[Hit], found: Extraction) -> ConfidenceEstimate:
        """Return the confidence of an answer from ``hits``, by their best sentences.

        It is low where the first extract lacks what the question is about, however near the rest of it is. A question
        for a telephone number, an address, a licence or a rate is answered only by extracts that have one.
        """
        told = [one.shown for one in found.extracts]
        if not hits or found.about_another or (told and lacks_needed(question, told)):
            return NOTHING_FOUND
        first, lexicon = found.extracts[0] if found.extracts else None, self._lexicon.also(found.spelled)
        strength = max(found.nearest, *(hit.score for hit in hits))
        mismatch = first is None or is_off_subject(question, first, lexicon) or tells_one_side(question, found.extracts)
        is_brief = len(_WORD.findall(question)) <= _BRIEF and not found.signals.get("absent") and not mismatch
        sure = self._weighed(
            {
                "strength": strength,
                **dict.fromkeys(OF_CHOICE, 0.0),
                **found.signals,
                "checked": self._checked(question, told),
                "mismatch": float(mismatch),
                "brief": strength if is_brief else 0.0,
                "partial": 0.0,
                "unsupported": 0.0,
                "declined": 0.0,
            }
        )
        if first is None:
            return sure
        least = 0.0 if mismatch else least_sure(question, first, found.signals.get("covered", 0.0))
        most = most_sure(question, first, lexicon)
        return replace(sure, confidence=min(max(sure.confidence, least), most))

    def _checked(self, question: str, told: Sequence[str]) -> float:
        """Return how well one of the extracts answers, or all together."""
        if self._check is None or not told:
            return 0.0
        read = [*told, " ".join(told)] if len(told) > 1 else told
        return float(self._check(question, read).max())

    def of_writing(self, evidence: ConfidenceEstimate, claims: Sequence[Claim], declined: bool) -> ConfidenceEstimate:
        """Return how sure an answer is that a language model wrote from that evidence, by the verdicts on its
        claims.
        """
        return self._weighed(
            {
                **evidence.signals,
                "partial": _share(claims, "partial"),
                "unsupported": _share(claims, "unsupported"),
                "declined": float(declined),
            }
        )

    def _weighed(self, signals: Mapping[str, float]) -> ConfidenceEstimate:
        return ConfidenceEstimate(self._calibration.confidence(signals), signals)


def _share(claims: Sequence[Claim], verdict: Verdict) -> float:
    return sum(claim.verdict == verdict for claim in claims) / len(claims) if claims else 0.0

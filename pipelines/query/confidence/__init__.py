"""How sure an answer is: signals of its evidence, weighed by a calibration."""

from pipelines.query.confidence.confidence import NOTHING_FOUND, Confidence, ConfidenceEstimate

__all__ = ["NOTHING_FOUND", "Confidence", "ConfidenceEstimate"]

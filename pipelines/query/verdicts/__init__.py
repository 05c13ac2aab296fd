"""Whether what an answer claims stands in what it cites, by checks that are named."""

from pipelines.query.verdicts.evidence import Reading, Window
from pipelines.query.verdicts.verifier import Judgement, Verifier

__all__ = ["Judgement", "Reading", "Verifier", "Window"]

"""Answers that were given before: where they are kept, and which question is the same as one of theirs."""

from pipelines.query.reuse.cache import AnswerCache, Asked, Position

__all__ = ["AnswerCache", "Asked", "Position"]

"""Answers that were given before: where they are kept, and which question is the same as one of theirs."""

from pipelines.query.reuse.cache import AnswerCache, CacheQuestion, Position

__all__ = ["AnswerCache", "CacheQuestion", "Position"]

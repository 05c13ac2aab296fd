"""OpenPharma's answers in Python: ``from app.rag import answer_query``."""

from app.rag.generation import AnswerResult, Citation, answer_query

__all__ = ["AnswerResult", "Citation", "answer_query"]

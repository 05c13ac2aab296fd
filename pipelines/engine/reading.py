"""The parts that read a tenant within one view."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.engine.asking.answers import Answers
from pipelines.engine.asking.conversations import Conversations
from pipelines.engine.asking.documents import Documents
from pipelines.engine.asking.explanations import Explanations
from pipelines.engine.asking.feedback import FeedbackLog
from pipelines.engine.asking.search import Search
from pipelines.engine.asking.synthesizers import Synthesizers
from pipelines.engine.asking.turns import Turns
from pipelines.engine.asking.vision import Vision
from pipelines.engine.assembly import Parts
from pipelines.engine.parts.usage import UsageStatistics
from pipelines.engine.parts.view import TenantView
from pipelines.engine.upkeep.health import Health
from pipelines.engine.upkeep.settings import TenantSettings
from pipelines.engine.upkeep.statistics import Statistics
from pipelines.engine.upkeep.storage import Storage
from pipelines.profile.loader import LoadedProfile
from pipelines.types import OPERATOR


@dataclass(frozen=True, slots=True)
class ReadingParts:
    """The parts that read a tenant within one view."""

    view: TenantView
    loaded: LoadedProfile
    documents: Documents
    search: Search
    answers: Answers
    explanations: Explanations
    conversations: Conversations
    feedback: FeedbackLog
    usage: UsageStatistics
    statistics: Statistics
    health: Health
    storage: Storage
    settings: TenantSettings
    vision: Vision


def reading_parts(parts: Parts, view: TenantView) -> ReadingParts:
    """Build the parts that read a tenant within ``view``."""
    records = parts.records
    usage = UsageStatistics(records.usage, parts.answer_cache, view.reader)
    turns = Turns(parts.profile, records.conversations, view.reader or "", parts.variants, parts.terms)
    documents = Documents(view, parts.writing.ingestor.described, parts.page_images.draw)
    synthesizers = Synthesizers(
        view, parts.answerer, llm=parts.llm, variants=parts.variants, log=records.answers, usage=usage
    )
    search = Search(view, turns, usage, parts.observe, synthesizers)
    feedback = FeedbackLog(view, records, parts.answer_cache, parts.variants)
    return ReadingParts(
        view=view,
        loaded=parts.loaded,
        documents=documents,
        search=search,
        answers=Answers(view, search, turns, usage, synthesizers=synthesizers, parts=parts),
        explanations=Explanations(view, documents, search),
        conversations=Conversations(records.conversations, view.reader or "").of(OPERATOR),
        feedback=feedback,
        usage=usage,
        statistics=Statistics(view, feedback, parts.folder),
        health=Health(view, parts.llm),
        storage=Storage(view, parts.folder),
        settings=TenantSettings(records.settings),
        vision=Vision(view, parts.llm),
    )

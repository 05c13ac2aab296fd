"""What a tenant's catalogue keeps beside the documents: use, settings, caches, conversations, answers and opinions."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords, EmbeddingCache, ExtractCache
from pipelines.catalogue.answers import AnswerLog
from pipelines.catalogue.audit import AuditLog
from pipelines.catalogue.files import FileRecords
from pipelines.catalogue.keys import KeyRecords
from pipelines.catalogue.opinions import Opinions
from pipelines.catalogue.settings import Settings
from pipelines.catalogue.turn_claims import LAPSE, TurnClaims
from pipelines.catalogue.usage import UsageLog
from pipelines.components.llm import Llm
from pipelines.profile.schema import Profile

_LONGEST_TURN_S = 60.0  # without a language model


@dataclass(frozen=True)
class Records:
    """A tenant's records."""

    settings: Settings
    files: FileRecords
    usage: UsageLog
    embeddings: EmbeddingCache
    extracts: ExtractCache
    conversations: ConversationRecords
    answers: AnswerLog
    keys: KeyRecords
    audit: AuditLog

    @cached_property
    def opinions(self) -> Opinions:
        """The feedback on the answers."""
        return Opinions(self.answers)


def open_records(
    profile: Profile, catalogue: Catalogue, settings: Settings, opened: ExitStack, llm: Llm | None
) -> Records:
    """Open the records of a tenant; ``opened`` closes them."""
    tables, tenant = catalogue.engine, profile.tenant
    shared = profile.metadata.hierarchy is None
    usage = UsageLog(tables, tenant)
    opened.callback(usage.close)
    answers = _open_answers(profile, catalogue)
    opened.callback(answers.close)
    return Records(
        settings,
        FileRecords(tables, tenant),
        usage,
        EmbeddingCache(tables, tenant, shared=shared),
        ExtractCache(tables, tenant, shared=shared),
        _open_conversations(profile, catalogue, opened, llm),
        answers,
        KeyRecords(tables, tenant),
        AuditLog(tables, tenant, _kept(profile)),
    )


def _kept(profile: Profile) -> timedelta | None:
    days = profile.retention.audit_days
    return None if days is None else timedelta(days=days)


def _open_conversations(
    profile: Profile, catalogue: Catalogue, opened: ExitStack, llm: Llm | None
) -> ConversationRecords:
    settings = profile.conversations
    longest_s = _LONGEST_TURN_S
    if llm is not None:  # a summary, a rewritten question, and an answer that is asked for twice
        timeouts = llm.timeouts
        longest_s += 4 * (timeouts.queue_s + timeouts.call_s) + profile.tools.longest_s
        if profile.tools.asked:  # the decision is requested twice at most
            longest_s += 2 * timeouts.decision_s
    longest = timedelta(seconds=longest_s)
    keeping = ConversationLimits(
        timedelta(hours=settings.ttl_hours),
        settings.turns,
        longest if catalogue.owned else LAPSE,
        profile.limits.quotas.conversations,
    )
    if catalogue.owned:
        records = ConversationRecords(catalogue.engine, profile.tenant, keeping)
        records.free()
        return records
    claims = TurnClaims(catalogue.engine, profile.tenant, longest)
    opened.callback(claims.close)
    return ConversationRecords(catalogue.engine, profile.tenant, keeping, claims=claims)


def _open_answers(profile: Profile, catalogue: Catalogue) -> AnswerLog:
    keep = timedelta(days=profile.feedback.keep_days)
    answers = AnswerLog(catalogue.engine, profile.tenant, keep, shared=not catalogue.owned)
    answers.expire()
    return answers

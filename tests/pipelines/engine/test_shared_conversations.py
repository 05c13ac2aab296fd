"""Conversations of a tenant that several processes serve."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from pipelines.catalogue import Catalogue, ConversationLimits, ConversationRecords
from pipelines.engine import open_engine
from pipelines.errors import ConversationBusy
from tests.congruence.postgres import postgres_catalogue
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: harbour
catalogue: {{url: "${{HARBOUR_DATABASE}}"}}
llm: {{provider: ollama, model: "echo", base_url: "{llm}"}}
"""


@pytest.mark.postgres
def test_a_conversation_goes_on_soon_after_the_process_that_answered_in_it_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres_catalogue() as url, ollama_server() as llm:
        monkeypatch.setenv("HARBOUR_DATABASE", url)
        profile = tmp_path / "harbour.yaml"
        profile.write_text(PROFILE.format(llm=llm.url), encoding="utf-8")
        with open_engine(profile, tmp_path / "data") as engine, time_machine.travel(datetime.now(UTC)) as clock:
            killed = Catalogue.open(url, "harbour")
            limits = ConversationLimits(timedelta(hours=1), 5, timedelta(minutes=1))
            ConversationRecords(killed.engine, "harbour", limits).begin("walk")
            killed.close()
            with pytest.raises(ConversationBusy):
                engine.answer("When does the ferry leave?", conversation_id="walk")
            clock.shift(timedelta(seconds=31))
            assert engine.answer("When does the ferry leave?", conversation_id="walk").conversation_id == "walk"

"""Tenants to converse with: few documents, and a stand-in for Ollama that rewrites, sums up and answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pipelines.engine import Engine
from pipelines.query.conversation.history import SUMMARISE
from tests.fakes.ollama import Asked, FakeOllama

PROFILE = """
tenant: kennel
title: the kennel
SECTIONS
"""
LLM = """
llm: {provider: ollama, model: m, base_url: "URL", timeouts: {call_s: 20, token_s: 5, decision_s: DECISION}, MORE}
"""
BEAGLE = (
    "# Beagle\n\nBeagles need 60 minutes of exercise a day. A bored beagle howls.\n\nBeagles live for 12 to 15 years."
)
PUG = "# Pug\n\nPugs need 30 minutes of exercise a day. A pug snores.\n\nPugs live for 13 to 15 years."
CAT = "# Siamese cat\n\nSiamese cats talk a lot. They do not like water.\n\nSiamese cats live for 15 to 20 years."
EXERCISE = "How much exercise does a beagle need?"
AGE = "How long do they live?"
Converse = Callable[..., Engine]


def fake_of(engine: Engine) -> FakeOllama:
    fake: FakeOllama = engine.fake  # type: ignore[attr-defined]
    return fake


def kind(asked: Asked) -> str:
    return "summary" if asked.last == SUMMARISE else "rewrite" if "stands alone" in asked.last else "answer"


def answers(asked: Asked) -> str:
    if kind(asked) == "rewrite":
        return json.dumps({"question": "How long do beagles live?"})
    return "They asked about beagles." if kind(asked) == "summary" else "It is [1]."


def asked_of(engine: Engine, wanted: str) -> list[Asked]:
    return [asked for asked in fake_of(engine).asked if kind(asked) == wanted]


def plain(message: Any) -> dict[str, str]:
    return {"role": message["role"], "content": message["content"]}

"""Who gets which prompt."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from pipelines.profile.prompts import Prompt, PromptShare
from pipelines.query.variants import Variants, unit_of
from pipelines.types import Message, Turn

UNITS = [f"user\0u-{number}" for number in range(5000)]


def variants(**weights: float) -> Variants:
    shares = [PromptShare(name, weight, Prompt({"system": name, "user": ""})) for name, weight in weights.items()]
    return Variants("kennel", shares, "the kennel", as_json=False)


def names(found: Variants) -> list[str | None]:
    return [found.chosen(unit).name for unit in UNITS]


def turn(variant: str | None) -> Turn:
    return Turn(1, "?", "!", datetime(2026, 1, 1, tzinfo=UTC), variant=variant)


def test_every_process_comes_to_the_same_result() -> None:
    assert names(variants(a=1, b=1, c=1))[:12] == list("bcccbbacaccb")


def test_each_variant_has_its_share() -> None:
    counts = Counter(names(variants(a=1, b=2, c=7)))
    for name, share in (("a", 0.1), ("b", 0.2), ("c", 0.7)):
        assert counts[name] / len(UNITS) == pytest.approx(share, abs=0.03)


def test_a_changed_weight_moves_no_user_between_other_variants() -> None:
    before, after = names(variants(a=1, b=1, c=1)), names(variants(a=1, b=1, c=3))
    moved = {(one, other) for one, other in zip(before, after, strict=True) if one != other}
    assert moved == {("a", "c"), ("b", "c")}
    fewer = names(variants(a=1, b=1))
    assert {one for one, other in zip(before, fewer, strict=True) if one != other} == {"c"}


def test_tenants_are_drawn_for_apart() -> None:
    shares = [PromptShare(name, 1, Prompt({"system": "", "user": ""})) for name in "abc"]
    assert names(Variants("cattery", shares, "", as_json=False)) != names(variants(a=1, b=1, c=1))


def test_without_a_weight_a_variant_keeps_its_conversations_and_gets_no_others() -> None:
    found = variants(a=0, b=1)
    assert set(names(found)) == {"b"}
    assert found.chosen("anything", [turn("b"), turn("a")]).name == "a"
    assert found.chosen("anything", [turn("gone")]).name == "b"


def test_a_conversation_goes_before_a_user_and_a_user_before_the_question() -> None:
    def unit(question: str = "Q", **given: object) -> str:
        known: dict[str, object] = {"scope": "", "user": None, "conversation_id": None, "history": None, **given}
        return unit_of(question, **known)  # type: ignore[arg-type]

    assert unit("Q", conversation_id="c", user="u") == unit("R", conversation_id="c", user="v")
    assert unit(conversation_id="c") != unit(conversation_id="c", scope="fed")
    assert unit("Q", user="u") == unit("R", user="u") != unit("Q", user="v")
    assert unit(" Why\n so?") == unit("why so?") != unit("why not?")
    first = [Message("user", "why so?"), Message("assistant", "Because.")]
    assert unit("And then?", history=first, user="u") == unit("why so?", history=()) == unit("Why so?")

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.http import limits
from app.http.errors import MalformedRequest, RequestTooLarge
from app.http.limits import BodyLimit, BodyLimits, limited
from pipelines.profile.schema import Profile


def _read(chunks: list[bytes], limit: int, declared: str | None = None) -> bytes:
    async def sent() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def read() -> bytes:
        return b"".join(
            [
                chunk
                async for chunk in limited(
                    sent(), BodyLimit(limit, "a file of 3 bytes", "limits -> file_bytes"), declared
                )
            ]
        )

    return asyncio.run(read())


def test_a_body_of_just_the_limit_passes() -> None:
    assert _read([b"ab", b"c"], 3, "3") == b"abc"


def test_a_body_that_says_it_is_too_large_is_refused_unread() -> None:
    with pytest.raises(
        RequestTooLarge, match=r"too large \(4 bytes\): it has room for a file of 3 bytes; .* limits -> file_bytes"
    ):
        _read([], 3, "4")


@pytest.mark.parametrize("declared", [None, "1", "x"])
def test_a_body_that_is_too_large_is_refused_whatever_it_says(declared: str | None) -> None:
    with pytest.raises(RequestTooLarge):
        _read([b"ab", b"cd"], 3, declared)


def test_the_limits_are_wide_enough_for_what_the_profile_allows() -> None:
    profile = Profile.model_validate({"limits": {"file_bytes": 50_000_000, "question_chars": [1, 100]}})
    limits = BodyLimits.of(profile)
    assert limits.bringing.most > 50_000_000
    assert 600 < limits.asking.most < 50_000_000


def test_a_body_that_shows_an_image_has_room_for_it_in_base64() -> None:
    profile = Profile.model_validate({"limits": {"image_bytes": 30_000_000}})
    limits = BodyLimits.of(profile)
    assert limits.of_kind("looking").most > 40_000_000 > limits.of_kind("asking").most
    assert limits.of_kind("bringing").most > profile.limits.file_bytes


def test_every_limit_names_what_it_has_room_for_and_its_setting() -> None:
    limits = BodyLimits.of(Profile.model_validate({"limits": {"file_bytes": 50_000_000}}))
    assert (limits.bringing.largest, limits.bringing.key) == ("a file of 50 MB", "limits -> file_bytes")
    assert (limits.asking.largest, limits.asking.key) == ("a question of 4,000 characters", "limits -> question_chars")
    assert (limits.looking.largest, limits.looking.key) == ("an image of 20 MB", "limits -> image_bytes")
    assert limits.json.key == "limits -> content_chars"


def test_json_that_brings_documents_is_limited_in_the_name_of_their_text() -> None:
    limits = BodyLimits.of(Profile.model_validate({"limits": {"content_chars": [1, 1000]}}))
    assert (limits.json.largest, limits.json.key) == ("a text of 1,000 characters", "limits -> content_chars")
    assert limits.json.most == limits.looking.most


def test_a_body_that_trickles_in_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_GRACE_S", 0.2, raising=False)
    limit = BodyLimit(1000, "a file of 1000 bytes", "limits -> file_bytes")

    async def trickle() -> AsyncIterator[bytes]:
        for _ in range(100):
            await asyncio.sleep(0.05)
            yield b"a"

    async def read() -> list[bytes]:
        return [chunk async for chunk in limited(trickle(), limit, "100")]

    with pytest.raises(MalformedRequest, match="comes in too slowly"):
        asyncio.run(read())


def test_a_body_that_is_fast_enough_may_take_longer_than_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_GRACE_S", 0.2, raising=False)
    limit = BodyLimit(100_000, "a file of 100000 bytes", "limits -> file_bytes")

    async def steady() -> AsyncIterator[bytes]:
        for _ in range(6):
            await asyncio.sleep(0.1)
            yield b"a" * 4000

    async def read() -> int:
        return sum([len(chunk) async for chunk in limited(steady(), limit, None)])

    assert asyncio.run(read()) == 24_000

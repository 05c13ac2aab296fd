from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.http.errors import RequestTooLarge
from app.http.limits import BodyLimits, limited
from pipelines.profile.schema import Profile


def _read(chunks: list[bytes], limit: int, declared: str | None = None) -> bytes:
    async def sent() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def read() -> bytes:
        return b"".join([chunk async for chunk in limited(sent(), limit, declared)])

    return asyncio.run(read())


def test_a_body_of_just_the_limit_passes() -> None:
    assert _read([b"ab", b"c"], 3, "3") == b"abc"


def test_a_body_that_says_it_is_too_large_is_refused_unread() -> None:
    with pytest.raises(RequestTooLarge, match="over the limit of 3 bytes"):
        _read([], 3, "4")


@pytest.mark.parametrize("declared", [None, "1", "x"])
def test_a_body_that_is_too_large_is_refused_whatever_it_says(declared: str | None) -> None:
    with pytest.raises(RequestTooLarge):
        _read([b"ab", b"cd"], 3, declared)


def test_the_limits_are_wide_enough_for_what_the_profile_allows() -> None:
    profile = Profile.model_validate({"limits": {"file_bytes": 50_000_000, "question_chars": [1, 100]}})
    limits = BodyLimits.of(profile)
    assert limits.bringing > 50_000_000
    assert 600 < limits.asking < 50_000_000


def test_a_body_that_shows_an_image_has_room_for_it_in_base64() -> None:
    profile = Profile.model_validate({"limits": {"image_bytes": 30_000_000}})
    limits = BodyLimits.of(profile)
    assert limits.of_kind("looking") > 40_000_000 > limits.of_kind("asking")
    assert limits.of_kind("bringing") > profile.limits.file_bytes

"""How often one caller may ask a tenant: counted in this process, over the last minute, a key at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from hashlib import sha256

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.requests import Request

from app.http.errors import TooManyRequests
from app.http.security import presented_key
from pipelines.profile.schema import Profile


class RateLimits:
    """The limits of the tenants served; a tenant whose profile names none has none."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._most = {
            profile.tenant: RateLimitItemPerMinute(profile.limits.requests_per_minute)
            for profile in profiles
            if profile.limits.requests_per_minute
        }

    def count(self, tenant: str, request: Request) -> None:
        """Counts a request that was let in, by its key, or by its address where the tenant has no keys.

        Raises:
            TooManyRequests: The caller has asked as often as it may for now.
        """
        most = self._most.get(tenant)
        if most is None:
            return
        caller = _caller(request)
        if not self._limiter.hit(most, tenant, caller):
            reset = self._limiter.get_window_stats(most, tenant, caller).reset_time
            raise TooManyRequests(most.amount, max(math.ceil(reset - time.time()), 1))


def _caller(request: Request) -> str:
    if key := presented_key(request):
        return sha256(key).hexdigest()
    return request.client.host if request.client else ""

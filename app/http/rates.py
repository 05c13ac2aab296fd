"""How often one caller may ask a tenant, over the last minute, a key at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256

from anyio import to_thread
from limits import RateLimitItemPerMinute
from starlette.requests import Request

from app.http.counts import Counts, counts_of
from app.http.errors import TooManyRequests, Unauthorized
from app.http.keyring import Keyring
from app.http.security import presented_key
from pipelines.profile.schema import Profile

_UNKNOWN_KEYS = RateLimitItemPerMinute(300)


class RateLimits:
    """The limits of the tenants served; a tenant whose profile names none has none."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self._own = Counts()
        limits = {profile.tenant: profile.limits for profile in profiles}
        self._counts = counts_of({tenant: one.redis_url for tenant, one in limits.items()}, self._own)
        self._most = {tenant: _per_minute(one.requests_per_minute) for tenant, one in limits.items()}
        self._most_images = {tenant: _per_minute(one.images_per_minute) for tenant, one in limits.items()}

    def count(self, tenant: str, request: Request, *, image: bool = False) -> None:
        """Count a request that was let in, by its key, or by its address where the tenant has no keys.

        Those of this machine's command line are not counted: one command sends as many as it has files.

        Args:
            tenant: Which tenant it is to.
            request: The request.
            image: Whether it may show an image.

        Raises:
            TooManyRequests: The caller has asked as often as it may for now.
        """
        keyring: Keyring = request.state.keyring
        if keyring.is_local(presented_key(request)):
            return
        most, images = self._most.get(tenant), self._most_images.get(tenant)
        if most is not None:
            _hit(self._counts[tenant], most, tenant, _caller(tenant, request))
        if images is not None and image:
            _hit(self._counts[tenant], images, f"{tenant} images", _caller(tenant, request))

    async def admit(self, tenant: str, request: Request, *, image: bool = False) -> None:
        """Count a request as `count` does; the event loop does not wait for a Redis that is slow."""
        counted = partial(self.count, tenant, request, image=image)
        if self._counts[tenant].is_shared:
            await to_thread.run_sync(counted)
        else:
            counted()

    @contextmanager
    def failures(self, request: Request) -> Iterator[None]:
        """Count an unknown key that is presented within the block, by the caller's address.

        Raises:
            TooManyRequests: The address has presented too many.
        """
        try:
            yield
        except Unauthorized:
            _hit(self._own, _UNKNOWN_KEYS, "", _address(request))
            raise


def _hit(counts: Counts, most: RateLimitItemPerMinute, what: str, caller: str) -> None:
    reset = counts.hit(most, what, caller)
    if reset is not None:
        raise TooManyRequests(most.amount, max(math.ceil(reset - time.time()), 1))


def _per_minute(most: int) -> RateLimitItemPerMinute | None:
    return RateLimitItemPerMinute(most) if most else None


def _caller(tenant: str, request: Request) -> str:
    keyring: Keyring = request.state.keyring
    if tenant in keyring.open_tenants:  # where any key passes, one made up would have a count of its own
        return _address(request)
    return sha256(presented_key(request)).hexdigest()


def _address(request: Request) -> str:
    return request.client.host if request.client else ""

"""Renews the claims of turns in progress, so that those of a killed process lapse soon."""

from __future__ import annotations

import logging
import threading
import time
from datetime import timedelta
from typing import Final

import sqlalchemy as sa

from pipelines.catalogue.database import Database
from pipelines.catalogue.records import now
from pipelines.catalogue.tables import ConversationRow
from pipelines.errors import Unavailable

LAPSE: Final = timedelta(seconds=30)
"""The age at which a claim that nobody renews counts as that of a dead process."""
_EVERY_S = 5.0
_log = logging.getLogger(__name__)


class TurnClaims(Database):
    """The claims of one process on conversations that it answers in, renewed from a background thread.

    Args:
        engine: The database, which other processes share.
        tenant: Whose conversations they are.
        longest: The age at which a turn that never ended is given up.
    """

    def __init__(self, engine: sa.Engine, tenant: str, longest: timedelta) -> None:
        super().__init__(engine, tenant)
        self._longest_s = longest.total_seconds()
        self._begun: dict[str, float] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, claim: str) -> None:
        """Renew ``claim`` from now on."""
        with self._lock:
            self._begun[claim] = time.monotonic()
            if self._thread is None and not self._stop.is_set():
                name = f"footnote-turns-{self._tenant}"
                self._thread = threading.Thread(target=self._go_on, name=name, daemon=True)
                self._thread.start()

    def discard(self, claim: str) -> None:
        """Renew ``claim`` no more."""
        with self._lock:
            self._begun.pop(claim, None)

    def renew(self) -> None:
        """Renew the claims of all turns in progress, but for those whose conversation another transaction holds.

        Raises:
            StoreUnavailable: The database does not answer.
        """
        since = time.monotonic() - self._longest_s
        with self._lock:
            self._begun = {claim: begun for claim, begun in self._begun.items() if begun > since}
            claims = list(self._begun)
        if claims:
            mine = (ConversationRow.tenant == self._tenant, ConversationRow.claim.in_(claims))
            with self._session() as session, session.begin():
                # Waiting for one with others locked could be a deadlock with a purge or a deletion.
                rows = sa.select(ConversationRow.claim).where(*mine).with_for_update(skip_locked=True)
                free = ConversationRow.claim.in_(session.scalars(rows).all())
                session.execute(sa.update(ConversationRow).where(mine[0], free).values(claimed_at=now()))

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _go_on(self) -> None:
        while not self._stop.wait(_EVERY_S):
            try:
                self.renew()
            except Unavailable as error:
                _log.warning("%s: turns in progress could not be renewed: %s", self._tenant, error.message)

"""What was set for a tenant while it was at work; it outlives the process."""

from __future__ import annotations

from typing import Any

from pipelines.catalogue.database import Database
from pipelines.catalogue.tables import SettingsRow


class Settings(Database):
    """Plain values by name; every method raises StoreUnavailable when the database does not do its part."""

    def get(self, name: str) -> dict[str, Any]:
        """Return what was set under a name, empty where nothing was."""
        with self._session() as session:
            row = session.get(SettingsRow, (self._tenant, name))
            return {} if row is None else dict(row.value)

    def put_first(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """Set a value where none is set, and return the one that is set now: of several processes one sets it."""
        row = {"tenant": self._tenant, "name": name, "value": value}
        with self._session() as session, session.begin():
            session.execute(self._insert(SettingsRow).values(row).on_conflict_do_nothing())
        return self.get(name)

    def put(self, name: str, value: dict[str, Any]) -> None:
        """Set a value, in the place of the one that was there."""
        with self._session() as session, session.begin():
            session.merge(SettingsRow(tenant=self._tenant, name=name, value=value))

"""What every test of the native API has."""

from tests.fakes.embedded_only import unmarked_backups

__all__ = ["unmarked_backups"]

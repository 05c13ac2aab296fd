"""What keeps a tenant: writing, syncing, settings, keys, statistics, repair and backups."""

"""The shapes of PocketPal's API, by subject. Keys are camelCase, except for two that its document spells otherwise."""

"""The native API's shapes on the wire, by subject."""

"""What every HTTP surface shares: errors, keys, limits, uploads, strict JSON, request ids."""

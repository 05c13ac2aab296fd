"""Questions of several parts, answered whole and in steps."""

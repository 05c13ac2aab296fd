"""The console script: ends without a traceback where Ctrl-C comes before the command line is loaded."""

from __future__ import annotations

import signal
from importlib import import_module


def main() -> None:
    """Load the command line and run it; until it is loaded, an interruption ends the process at once."""
    # A process in the background may ignore it, and goes on to do so.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    command_line = import_module("app.cli")
    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command_line.main()

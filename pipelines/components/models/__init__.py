"""Models that run in this process: which there are, where their weights lie, and what runs them.

ONNX Runtime would send its maker what it loads and runs, and keep it in the user's cache folder until it can. It looks
for the variable that refuses this when it is imported, so that is set here, before any module of this package.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

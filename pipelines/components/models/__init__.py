"""Models that run in this process: which there are, where their weights lie, and what runs them.

ONNX Runtime writes events of what it loads and runs into the user's cache folder and sends them to Microsoft. It reads
the variable that switches this off when it is imported, so the variable is set here, before any module of this package.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

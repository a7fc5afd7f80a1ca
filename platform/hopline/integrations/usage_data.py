"""Usage data that other libraries send by default: off, unless the user turned them on.

Haystack sends events to its makers unless ``HAYSTACK_TELEMETRY_ENABLED`` says otherwise. LlamaIndex sends nothing, and
LangChain only if ``LANGSMITH_TRACING`` is set.
"""

from __future__ import annotations

import os
import sys
from typing import Final

HAYSTACK_VARIABLE: Final = "HAYSTACK_TELEMETRY_ENABLED"


def switch_off_haystack_telemetry() -> None:
    """Let Haystack send no usage data, whether or not it has been imported, unless its variable is set."""
    if HAYSTACK_VARIABLE in os.environ:
        return
    os.environ[HAYSTACK_VARIABLE] = "False"  # read when Haystack is imported
    imported = sys.modules.get("haystack.telemetry._telemetry")
    if imported is not None:
        imported.telemetry = None  # type: ignore[attr-defined]

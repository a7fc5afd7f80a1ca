"""The Neo4j driver, imported without what it would only import to look at."""

from __future__ import annotations

import sys

_NOT_NEEDED = ("pandas", "pyarrow")  # the driver accepts their types as parameters; we never send any


def import_driver() -> None:
    """Import `neo4j`, in a third of the time: pandas and pyarrow stay out unless they are there already.

    Code that imports them afterwards gets them as usual.
    """
    if "neo4j" in sys.modules:
        return
    hidden = [name for name in _NOT_NEEDED if name not in sys.modules]
    try:
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: "not to be imported"
        import neo4j  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]

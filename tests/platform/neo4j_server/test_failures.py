from pathlib import Path

import pytest

from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server.failures import PortTaken, check_written_by, explained
from hopline.neo4j_server.home_folder import Home

# what Neo4j 5.26.28 printed over data of 2026.08.1, over a port in use, and beside a second server
NEWER = """Caused by: org.neo4j.kernel.impl.transaction.log.entry.UnsupportedLogVersionException: Log file contains \
entries with prefix 32, and the highest supported Kernel Version is KernelVersion{V5_25,version=20}. This indicates \
that the log files originates from an newer version of neo4j, which we don't support downgrading from.
\tat org.neo4j.kernel.database.Database.getLogTail(Database.java:673)
\t... 8 more"""


@pytest.mark.parametrize("wrote", ["5.27.0", "2026.08.1", "5.26.100"])
def test_data_of_a_newer_neo4j_is_refused_by_its_version_file(tmp_path: Path, wrote: str) -> None:
    home = Home(tmp_path)
    home.version.write_text(f"{wrote}\n")
    with pytest.raises(
        EngineRefused, match=rf"written by Neo4j {wrote}, and Neo4j 5\.26\.28 cannot read it.*HOPLINE_HOME"
    ):
        check_written_by(home, "5.26.28")


@pytest.mark.parametrize("wrote", [None, "5.26.28", "5.26.3", "5.9.0"])
def test_data_of_this_or_an_older_neo4j_is_taken(tmp_path: Path, wrote: str | None) -> None:
    home = Home(tmp_path)
    if wrote is not None:
        home.version.write_text(wrote)
    check_written_by(home, "5.26.28")


def test_data_of_a_newer_neo4j_is_told_from_the_log(tmp_path: Path) -> None:
    error = explained(NEWER, "it ended", Home(tmp_path))
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
        ("Lock file has been locked by another process", EngineUnavailable, "another server works on"),
        ("Address localhost:1 is already in use, cannot bind to it.", PortTaken, "port was taken"),
        ("Something else.", EngineUnavailable, "Something else."),
        ("", EngineUnavailable, "it printed nothing"),
    ],
)
def test_a_failed_start_is_explained_by_what_the_server_printed(
    tmp_path: Path, log: str, kind: type[Exception], words: str
) -> None:
    error = explained(log, "it ended", Home(tmp_path))
    assert type(error) is kind
    assert str(error).startswith("it ended")
    assert words in str(error)


def test_a_long_log_is_cut_to_its_end(tmp_path: Path) -> None:
    message = str(explained("\n".join(f"line {n}" for n in range(1000)), "it ended", Home(tmp_path)))
    assert "line 999" in message
    assert "line 500" not in message

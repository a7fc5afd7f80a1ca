import re
from collections.abc import Callable
from typing import Any

import pytest

import hopline.rendering.progress as drawing
from hopline.documents.progress import Progress
from hopline.rendering import download_bars, show_progress
from hopline.rendering.progress import count_stages, format_duration, format_progress, format_time_left

Screens = Callable[..., Any]

STARTED = Progress(documents=6, reading=("report.pdf: page 2 of 8",))
HALF = Progress(
    documents=6, documents_done=2, documents_failed=1, pages=20, pages_done=8, passages=1200, extracted=900, embedded=600,
    triples_left=1500, entities_left=30, reading=("scan.pdf: page 1 of 1",), seconds=12.0, seconds_left=30.4,
)  # fmt: skip
DONE = Progress(
    documents=6, documents_done=5, documents_failed=1, pages=20, pages_done=20, passages=1300, extracted=1300, embedded=1300,
    related=1300, seconds=42.0, seconds_left=0.0, done=True,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "POLL", 0.001)
    monkeypatch.setattr(drawing, "MIN_INTERVAL", 0.0)


def replay(*steps: Progress) -> Callable[[], Progress]:
    remaining = list(steps)
    return lambda: remaining.pop(0) if len(remaining) > 1 else remaining[0]


def test_failed_documents_count_as_done() -> None:
    assert count_stages(HALF) == [
        ("Documents", 3, 6), ("Pages", 8, 20), ("Finding entities", 900, 1200), ("Indexing", 600, 1200),
        ("Linking passages", 0, 1200),
    ]  # fmt: skip


def test_a_terminal_shows_bars_until_all_is_done(screen: Screens) -> None:
    console = screen(terminal=True)
    show_progress(replay(STARTED, HALF, DONE), console)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.text)
    for part in (
        "report.pdf: page 2 of 8",
        "0 of 6",
        "about 30 s left, 1 failed",
        "600 of 1,200",
        "1,500 triples and 30 entities to embed",
        "done in 42 s, 1 failed",
    ):
        assert part in text


def test_a_log_gets_one_line_a_change_and_no_control_characters(screen: Screens) -> None:
    class Batch:
        progress = staticmethod(replay(STARTED, HALF, HALF, DONE))

    console = screen()
    show_progress(Batch(), console)  # the second HALF changed nothing
    assert console.text.splitlines() == [
        "Documents 0/6",
        (
            "Documents 3/6 · Pages 8/20 · Finding entities 900/1,200 · Indexing 600/1,200 · Linking passages 0/1,200"
            " · 1,500 triples and 30 entities to embed · about 30 s left, 1 failed"
        ),
        (
            "Documents 6/6 · Pages 20/20 · Finding entities 1,300/1,300 · Indexing 1,300/1,300"
            " · Linking passages 1,300/1,300 · done in 42 s, 1 failed"
        ),
    ]


def test_an_iterable_of_progress_is_shown_to_its_end(screen: Screens) -> None:
    console = screen()
    show_progress(iter([STARTED, DONE]), console)
    assert console.text.splitlines()[-1].endswith("done in 42 s, 1 failed")


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    show_progress(lambda: DONE)
    out, err = capsys.readouterr()
    assert (out, "Documents 6/6" in err) == ("", True)


def test_an_exception_of_the_source_is_raised(screen: Screens) -> None:
    def fail() -> Progress:
        raise TimeoutError("no end in sight")

    with pytest.raises(TimeoutError, match="no end in sight"):
        show_progress(fail, screen(terminal=True))


def test_an_unknown_time_is_not_shown() -> None:
    assert format_time_left(STARTED) == ""
    assert format_time_left(Progress(documents=2, documents_failed=1)) == "1 failed"
    assert format_progress(Progress(done=True)) == "Nothing to do · done in 0.0 s"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.42, "0.4 s"), (12.4, "12 s"), (59.7, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (4200, "1 h 10 min")],
)
def test_durations_are_formatted_with_units(seconds: float, expected: str) -> None:
    assert format_duration(seconds) == expected


@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_is_shown_until_a_download_starts(screen: Screens, terminal: bool) -> None:
    console = screen(terminal=terminal)
    with download_bars(console):
        pass
    assert console.text == ""


def test_a_download_shows_its_size_and_a_wait_its_label(screen: Screens) -> None:
    console = screen(terminal=True)
    with download_bars(console) as progress:
        progress(0, 130_000_000, "downloading Neo4j")
        progress(65_000_000, 130_000_000, "downloading Neo4j")
        progress(0, 0, "starting Neo4j")
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.text)
    assert "65 of 130 MB" in text
    assert "starting Neo4j" in text


def test_a_log_of_a_download_has_one_line_a_label(screen: Screens) -> None:
    console = screen()
    with download_bars(console) as progress:
        for done in range(5):
            progress(done, 4, "downloading Neo4j")
        progress(0, 0, "starting Neo4j")
    assert console.text == "downloading Neo4j\nstarting Neo4j"

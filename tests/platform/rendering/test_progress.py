import re
from collections.abc import Callable
from typing import Any

import pytest

import hopline.rendering.terminal.progress as drawing
from hopline.client import Progress
from hopline.rendering.terminal import fetching, follow
from hopline.rendering.terminal.progress import duration, sentence, stages, time_left

Screens = Callable[..., Any]

BEGUN = Progress(documents=6, reading=("report.pdf: page 2 of 8",))
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
    monkeypatch.setattr(drawing, "SPOKEN", 0.0)


def played(*steps: Progress) -> Callable[[], Progress]:
    left = list(steps)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_bars_count_failed_documents_as_done_with() -> None:
    assert stages(HALF) == [
        ("documents", 3, 6), ("pages", 8, 20), ("extracted", 900, 1200), ("embedded", 600, 1200), ("related", 0, 1200),
    ]  # fmt: skip


def test_a_terminal_shows_bars_until_all_is_done(screen: Screens) -> None:
    console = screen(terminal=True)
    follow(played(BEGUN, HALF, DONE), console)
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


def test_a_log_gets_a_line_a_look_and_no_control_characters(screen: Screens) -> None:
    class Batch:
        progress = staticmethod(played(BEGUN, HALF, HALF, DONE))

    console = screen()
    follow(Batch(), console)  # the second HALF moved nothing
    assert console.text.splitlines() == [
        "documents 0/6",
        "documents 3/6, pages 8/20, extracted 900/1,200, embedded 600/1,200, related 0/1,200; 1,500 triples and 30 entities to embed; about 30 s left, 1 failed",
        "documents 6/6, pages 20/20, extracted 1,300/1,300, embedded 1,300/1,300, related 1,300/1,300; done in 42 s, 1 failed",
    ]


def test_one_progress_after_another_is_drawn_to_its_end(screen: Screens) -> None:
    console = screen()
    follow(iter([BEGUN, DONE]), console)
    assert console.text.splitlines()[-1].endswith("done in 42 s, 1 failed")


def test_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    follow(lambda: DONE)
    out, err = capsys.readouterr()
    assert (out, "documents 6/6" in err) == ("", True)


def test_what_the_progress_raises_ends_the_drawing(screen: Screens) -> None:
    def gone() -> Progress:
        raise TimeoutError("no end in sight")

    with pytest.raises(TimeoutError, match="no end in sight"):
        follow(gone, screen(terminal=True))


def test_an_unknown_time_is_not_guessed() -> None:
    assert time_left(BEGUN) == ""
    assert time_left(Progress(documents=2, documents_failed=1)) == "1 failed"
    assert sentence(Progress(done=True)) == "nothing to do; done in 0.0 s"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.42, "0.4 s"), (12.4, "12 s"), (59.7, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (4200, "1 h 10 min")],
)
def test_durations_are_told_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_is_drawn_until_something_is_fetched(screen: Screens, terminal: bool) -> None:
    console = screen(terminal=terminal)
    with fetching(console):
        pass
    assert console.text == ""


def test_a_fetch_shows_its_megabytes_and_a_wait_shows_its_words(screen: Screens) -> None:
    console = screen(terminal=True)
    with fetching(console) as progress:
        progress(0, 130_000_000, "fetching Neo4j")
        progress(65_000_000, 130_000_000, "fetching Neo4j")
        progress(0, 0, "starting Neo4j")
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.text)
    assert "65 of 130 MB" in text
    assert "starting Neo4j" in text


def test_a_log_of_a_fetch_has_one_line_a_label(screen: Screens) -> None:
    console = screen()
    with fetching(console) as progress:
        for done in range(5):
            progress(done, 4, "fetching Neo4j")
        progress(0, 0, "starting Neo4j")
    assert console.text == "fetching Neo4j\nstarting Neo4j"

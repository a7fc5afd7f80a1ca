from collections.abc import Callable
from pathlib import Path
from typing import Any

from hopline.records import Feedback, GoldCitation
from hopline.testing import FakeHopline

Run = Callable[..., Any]
RIGHT = Feedback("f1", "Who [built it?", "right", "Hedda", "", (GoldCitation("p1", "Hedda", 2, "a.pdf"),), author="Ada")
WRONG = Feedback("f2", "When?", "wrong", "1911")


def test_feedback_is_listed_and_deleted_by_its_id(run: Run, run_json: Run, fake: FakeHopline) -> None:
    fake.state.feedback = {"f1": RIGHT, "f2": WRONG}
    shown = run("feedback").stdout
    for text in ("Who [built it?", "Hedda", "wrong", "a.pdf", "Ada"):
        assert text in shown
    assert [item["verdict"] for item in run_json("feedback")["feedback"]] == ["wrong", "right"]
    assert run("feedback", "--delete", "f1").stdout == "Deleted: f1\n"
    again = run("feedback", "--delete", "f1")
    assert again.exit_code == 2
    assert "no feedback called 'f1'" in again.stderr
    fake.state.feedback = {}
    assert run("feedback").stdout == "Collection default has no feedback\n"


def test_feedback_is_written_as_questions_and_what_is_left_out_is_said(
    run: Run, fake: FakeHopline, tmp_path: Path
) -> None:
    fake.state.feedback = {"f1": RIGHT, "f2": WRONG}
    file = tmp_path / "q.jsonl"
    shown = run("feedback", "--questions", str(file)).stdout
    assert "1 question; evaluate them with: hopline evaluate" in shown
    assert "Left out: 1 of 2 are answers that are wrong, of which no correct one is known" in shown
    assert file.read_text().count("\n") == 1
    fake.state.feedback = {"f2": WRONG}
    refused = run("feedback", "--questions", str(file))
    assert refused.exit_code == 2
    assert "no feedback that is a question: 1 of 1" in refused.stderr
    assert run("feedback", "--questions", str(tmp_path / "gone" / "q.jsonl")).exit_code == 2

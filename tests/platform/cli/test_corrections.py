from collections.abc import Callable
from typing import Any

from hopline.records import Correction
from hopline.testing import FakeHopline

Run = Callable[..., Any]
APPLIED = Correction("k1", "passage", "p1", "It is [red", "It is red", "report.pdf", "d1", (3,), (), "Ada", 1.7e9)
LOST = Correction("k2", "passage", "", "Old", "New", "other.pdf", "d2")


def test_corrections_are_listed_with_what_was_read_and_whether_they_apply(
    run: Run, run_json: Run, fake: FakeHopline
) -> None:
    fake.state.corrections = {"k1": APPLIED, "k2": LOST}
    shown = run("corrections").stdout
    assert "It is [red" in shown
    assert "no longer" in shown
    assert "Ada" in shown
    listed = run_json("corrections", "--document", "report.pdf")
    assert [(item["id"], item["original"], item["evidence"]) for item in listed["corrections"]] == [
        ("k1", "It is [red", "p1")
    ]


def test_a_wrong_triple_is_listed_as_left_out(run: Run, fake: FakeHopline) -> None:
    fake.state.corrections = {"k3": Correction("k3", "triple", "p1", "A owns B", "", "report.pdf", "d1", (3,))}
    shown = run("corrections").stdout
    assert "A owns B" in shown
    assert "(left out)" in shown


def test_a_correction_is_undone_by_its_id(run: Run, fake: FakeHopline) -> None:
    fake.state.corrections = {"k1": APPLIED}
    assert run("corrections", "--undo", "k1").stdout == "Undone: k1\n"
    assert run("corrections").stdout == "Collection default has no corrections\n"
    again = run("corrections", "--undo", "k1")
    assert again.exit_code == 2
    assert "no correction called 'k1'" in again.stderr

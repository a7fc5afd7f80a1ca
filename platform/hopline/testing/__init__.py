"""Test doubles for code that uses Hopline: a client in memory, with the signatures of the real one.

from hopline.testing import FakeHopline, make_answer

hop = FakeHopline(answer=lambda asked: make_answer(asked, "EIB loan 2021-044", document="loan.pdf", page=3))
assert hop.ask("Who finances it?").text == "EIB loan 2021-044"
assert hop.state.calls[-1].arguments["question"] == "Who finances it?"

No database, worker or model is started, and nothing is written to disk.
"""

from hopline.testing.answers import make_answer, make_document
from hopline.testing.client import FakeHopline
from hopline.testing.documents import FakeBatch
from hopline.testing.state import AddedFile, Call, FakeQuestion, FakeState

__all__ = [
    "AddedFile",
    "Call",
    "FakeBatch",
    "FakeHopline",
    "FakeQuestion",
    "FakeState",
    "make_answer",
    "make_document",
]

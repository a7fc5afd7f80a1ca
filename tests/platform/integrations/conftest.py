"""A client without a database that answers every question from three passages and a table."""

from __future__ import annotations

from typing import Any

import pytest
from table_text import make_structured_table

from hopline.records import Box
from hopline.results import Answer, Citation, Evidence, EvidencePath, Node, PathStep, Retrieval, Sentence
from hopline.testing import FakeHopline, FakeQuestion

SEED = Node("e1", "entity", "Halm")
FEE = Evidence(
    "p1", "passage", 0.9, "The mooring fee in Halm is 40 kroner a night.", "rules.pdf", "d1", "Harbour rules",
    ("Fees", "Mooring"), pages=(3, 4), boxes=(Box(3, 1, 2, 30, 40), Box(4, 1, 2, 30, 40)), source_id="g1",
)  # fmt: skip
TABLE = make_structured_table(
    "Berths\n| berth | length |\n|---|---|\n| B1 | 12 |", id="t1", document="rules.pdf", score=0.5
)
OTHERS = tuple(Evidence(f"p{n}", "passage", 0.1, f"Passage {n}.", "other.pdf") for n in (2, 3))
PATHS = (
    EvidencePath("p1", SEED, (PathStep(SEED, "MENTIONS", Node("p1", "passage")),)),
    EvidencePath("t1", Node("t1", "table")),
)


def answer_question(request: FakeQuestion) -> Answer:
    """Return "40 kroner" with a citation, or an abstention if the question contains "absent"."""
    evidence = (FEE, TABLE, *OTHERS)[: request.k]
    retrieval = Retrieval(request.question, request.strategy, request.collection, evidence, PATHS)
    if "absent" in request.question:
        return Answer(request.question, (), retrieval, abstained=True, missing=("absent",))
    start = FEE.text.index("40 kroner")
    citation = Citation(FEE, "40 kroner", start, start + 9, PATHS[0])
    return Answer(request.question, (Sentence("It is 40 kroner a night.", (citation,)),), retrieval, short="40 kroner")


@pytest.fixture
def fake() -> FakeHopline:
    return FakeHopline(answer=answer_question, documents={"default": [], "harbour": []})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class FilteringClient:
    """A client whose methods take a filter; it notes the arguments of every call."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def retrieve(self, question: str, **arguments: Any) -> Retrieval:
        self.calls.append(arguments)
        return Retrieval(question, "hopline", "default", (FEE,), PATHS)

    def ask(self, question: str, **arguments: Any) -> Answer:
        self.calls.append(arguments)
        return answer_question(FakeQuestion(question))


@pytest.fixture
def filter_client() -> FilteringClient:
    return FilteringClient()

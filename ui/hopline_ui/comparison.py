"""What several strategies found for one question, side by side; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline.types import Evidence
from hopline_ui.formatting import took
from hopline_ui.markup import counted
from hopline_ui.session.questions import Answered, in_short


@dataclass(frozen=True, slots=True)
class Placed:
    """An evidence of one strategy with its rank there and elsewhere, from 1."""

    evidence: Evidence
    rank: int
    elsewhere: Mapping[str, int]

    @property
    def told(self) -> str:
        """As "only here" or "2nd in hybrid, 7th in dense"."""
        return ", ".join(f"{ordinal(rank)} in {name}" for name, rank in self.elsewhere.items()) or "only here"


def placed(found: Mapping[str, Answered]) -> dict[str, list[Placed]]:
    """Each strategy's evidence, best first, with where the others have it."""
    ranks = {
        name: {one.id: rank for rank, one in enumerate(answered.answer.retrieval.evidence, 1)}
        for name, answered in found.items()
    }
    return {
        name: [
            Placed(
                one, rank, {other: ranks[other][one.id] for other in found if other != name and one.id in ranks[other]}
            )
            for rank, one in enumerate(answered.answer.retrieval.evidence, 1)
        ]
        for name, answered in found.items()
    }


def table(found: Mapping[str, Answered]) -> list[dict[str, object]]:
    """A row a strategy: what it said, what it found, how far it walked, and what that cost."""
    rows: list[dict[str, object]] = []
    for name, places in placed(found).items():
        answered = found[name]
        answer, trace = answered.answer, answered.answer.retrieval.trace
        rows.append(
            {
                "Strategy": name,
                "Answer": in_short(answered.answer),
                "Evidence": len(places),
                "Only here": sum(not one.elsewhere for one in places),
                "Documents": len({one.evidence.document_id for one in places}),
                "Longest path": max((len(path.steps) for path in answer.retrieval.paths), default=0),
                "Seconds": round(answered.seconds, 3),
                "Requests": len(trace.steps),
                "Model calls": trace.calls,
                "Tokens": trace.tokens,
                "Cost": round(sum(step.cost for step in trace.steps), 6),
            }
        )
    return rows


def agreement(found: Mapping[str, Answered]) -> str:
    """A sentence on what all of them found."""
    each = [{one.id for one in answered.answer.retrieval.evidence} for answered in found.values()]
    if len(each) < 2:
        return ""
    shared, every = set.intersection(*each), set.union(*each)
    quickest = min(found, key=lambda name: found[name].seconds)
    return (
        f"{counted(len(shared), 'passage')} of {len(every):,} found by all · quickest: {quickest}, "
        f"{took(found[quickest].seconds)}"
    )


def ordinal(number: int) -> str:
    """As "1st", "12th", "23rd"."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def chosen(strategies: Sequence[str], default: str) -> list[str]:
    """What is compared at first: the default strategy and the two plainest that there are."""
    plain = [name for name in ("hybrid", "dense") if name in strategies]
    return list(dict.fromkeys([default, *plain]))

"""Compare the results of several strategies for one question. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline.results import Evidence
from hopline_ui.formatting import format_seconds
from hopline_ui.markup import format_count
from hopline_ui.session.questions import TimedAnswer, summarize_answer


@dataclass(frozen=True, slots=True)
class RankedEvidence:
    """One evidence with its rank in one strategy, and in the other strategies that found it; ranks from 1."""

    evidence: Evidence
    rank: int
    other_ranks: Mapping[str, int]

    @property
    def overlap(self) -> str:
        """The ranks in other strategies: "2nd in hybrid, 7th in dense", or "unique"."""
        ranks = (f"{format_ordinal(rank)} in {name}" for name, rank in self.other_ranks.items())
        return ", ".join(ranks) or "unique"


def rank_evidence(answers: Mapping[str, TimedAnswer]) -> dict[str, list[RankedEvidence]]:
    """Return each strategy's evidence, best first, with its ranks in the other strategies."""
    ranks = {
        name: {evidence.id: rank for rank, evidence in enumerate(timed.answer.retrieval.evidence, 1)}
        for name, timed in answers.items()
    }
    return {
        name: [
            RankedEvidence(
                evidence,
                rank,
                {
                    other: ranks[other][evidence.id]
                    for other in answers
                    if other != name and evidence.id in ranks[other]
                },
            )
            for rank, evidence in enumerate(timed.answer.retrieval.evidence, 1)
        ]
        for name, timed in answers.items()
    }


def build_table(answers: Mapping[str, TimedAnswer]) -> list[dict[str, object]]:
    """Return one row per strategy: answer, counts of evidence, longest path (edges), time and cost."""
    rows: list[dict[str, object]] = []
    for name, ranked in rank_evidence(answers).items():
        timed = answers[name]
        answer, trace = timed.answer, timed.answer.retrieval.trace
        rows.append(
            {
                "Strategy": name,
                "Answer": summarize_answer(answer),
                "Evidence": len(ranked),
                "Unique": sum(not item.other_ranks for item in ranked),
                "Documents": len({item.evidence.document_id for item in ranked}),
                "Longest path": max((len(path.steps) for path in answer.retrieval.paths), default=0),
                "Seconds": round(timed.seconds, 3),
                "Requests": len(trace.steps),
                "Model calls": trace.calls,
                "Tokens": trace.tokens,
                "Cost": round(sum(step.cost for step in trace.steps), 6),
            }
        )
    return rows


def summarize_overlap(answers: Mapping[str, TimedAnswer]) -> str:
    """Return how many passages all strategies found, and which was fastest; "" for fewer than two strategies."""
    ids = [{evidence.id for evidence in timed.answer.retrieval.evidence} for timed in answers.values()]
    if len(ids) < 2:
        return ""
    common, total = set.intersection(*ids), set.union(*ids)
    fastest = min(answers, key=lambda name: answers[name].seconds)
    return (
        f"{len(common):,} of {format_count(len(total), 'passage')} found by all · fastest: {fastest}, "
        f"{format_seconds(answers[fastest].seconds)}"
    )


def format_ordinal(number: int) -> str:
    """As "1st", "12th", "23rd"."""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{suffix}"


def select_default_strategies(strategies: Sequence[str], default: str) -> list[str]:
    """Return the strategies compared by default: the default strategy, hybrid and dense search where available."""
    baselines = [name for name in ("hybrid", "dense") if name in strategies]
    return list(dict.fromkeys([default, *baselines]))

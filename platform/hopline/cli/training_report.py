"""Reports of a training: summaries for the terminal and figures for JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hopline.learned.weight_files import ModelCard
    from hopline.training.gnn import GnnTrainingResult
    from hopline.training.reranker import RerankerTrainingResult


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """Report of a training: a summary, the JSON figures, and the options of ``hopline ask`` that use the result."""

    summary: str
    figures: dict[str, Any]
    use: str


def report_card(card: ModelCard, use: str) -> TrainingReport:
    """Build the report of a network from its model card."""
    figures = "; ".join(f"{name} {value}" for name, value in card.figures.items() if not isinstance(value, dict))
    summary = f"{card.part}: {figures}; {card.seconds:.0f} s. Model card: weights/{card.part} in the home folder"
    _, _, name = card.part.partition("/")
    return TrainingReport(summary, asdict(card), f"{use} {name}".rstrip())


def summarize_gnn(result: GnnTrainingResult, what: str) -> str:
    """Summarise the parameters learned for ``gnn`` or ``rgnn``."""
    alphas = ", ".join(f"{alpha:.3f}" for alpha in result.alphas)
    beta = f", beta {result.beta:.3f}" if what == "rgnn" else ""
    left_out = [
        f"{count} {what}"
        for count, what in (
            (result.questions_left_out, "questions without gold evidence or sub-questions"),
            (result.steps_left_out, "steps without gold evidence"),
        )
        if count
    ]
    return (
        f"alpha {alphas}{beta}: trained on {result.questions} questions in {result.rounds} rounds, "
        f"loss {result.loss_before:.4f} -> {result.loss_after:.4f}"
        + (f"; left out: {', '.join(left_out)}" if left_out else "")
    )


def summarize_reranker(result: RerankerTrainingResult) -> str:
    """Summarise the recall of a trained reranker on held-out folds."""
    rounds = ", ".join(f"{100 * recall:.1f}" for recall in result.held_out)
    summary = (
        f"Recall@5 on held-out folds of {result.questions} questions: untrained {100 * result.untrained:.1f}, "
        f"after each round {rounds}"
    )
    if not result.improves:
        advice = "hopline:trained=true uses the untrained ranking; more questions may help"
        return f"{summary}\nTraining did not improve the ranking: {advice}"
    return f"{summary}\nRounds used: {result.reranker.rounds}"

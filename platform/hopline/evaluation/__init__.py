"""Evaluation: question sets, metrics, experiments and their results."""

from hopline.evaluation.experiment import evaluate
from hopline.evaluation.questions import Question, QuestionStep, Quote, Structure, read_questions
from hopline.evaluation.statistics import Evaluation, Figure, StrategyFigures

__all__ = [
    "Evaluation",
    "Figure",
    "Question",
    "QuestionStep",
    "Quote",
    "StrategyFigures",
    "Structure",
    "evaluate",
    "read_questions",
]

"""Question sets, metrics and the tables they make."""

from hopline.evaluate.experiment import evaluate
from hopline.evaluate.figures import Evaluation, Figure, StrategyFigures
from hopline.evaluate.questions import Question, Quote, Structure, read_questions

__all__ = ["Evaluation", "Figure", "Question", "Quote", "StrategyFigures", "Structure", "evaluate", "read_questions"]

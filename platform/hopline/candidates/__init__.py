"""The candidates of a question: found by search and graph, scored by parts, and by a scorer where one was trained."""

from hopline.candidates.gather import Gathered, gather
from hopline.candidates.look import COVER, covered, look_at

__all__ = ["COVER", "Gathered", "covered", "gather", "look_at"]

"""The candidates of a question: found by search and graph, scored by parts, and by a scorer where one was trained."""

from hopline.candidates.gather import Gathered, gather, link_steps, weighed_links
from hopline.candidates.look import COVER, covered, look_at

__all__ = ["COVER", "Gathered", "covered", "gather", "link_steps", "look_at", "weighed_links"]

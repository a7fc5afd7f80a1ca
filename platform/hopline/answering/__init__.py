"""From evidence to sentences with quotes."""

from hopline.answering.closed_book import unaided
from hopline.answering.extractive import extractive
from hopline.answering.generative import written

__all__ = ["extractive", "unaided", "written"]

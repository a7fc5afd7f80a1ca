"""From evidence to sentences with quotes."""

from hopline.answer.extractive import extractive
from hopline.answer.written import written

__all__ = ["extractive", "written"]

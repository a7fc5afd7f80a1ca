"""From evidence to sentences with quotes."""

from hopline.answer.extractive import extractive
from hopline.answer.unaided import unaided
from hopline.answer.written import written

__all__ = ["extractive", "unaided", "written"]

"""Figures from their captions and the texts inside of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hopline.records import Box
from hopline.text.sentences import split_sentences
from hopline_ingest.formats.parsed_document import PageFigure
from hopline_ingest.formats.pdf.layout.captions import read_figure_number

_MIN_WORDS = 3  # of labels that are read as text
_MIN_LETTERS = 0.25  # of the characters of labels that are read as text
_WORD = re.compile(r"[^\W\d_]{2,}")


def build_figure(
    caption: str, labels: Sequence[str], *, page: int = 1, section: tuple[str, ...] = (), boxes: tuple[Box, ...] = ()
) -> PageFigure:
    """Build a figure from its caption and the lines of text inside of it.

    The text has both. Its sentences are those of the caption, and the labels unless they are only the numbers and
    letters of axes: these are found by a search, and are no sentences that answer a question.
    """
    sentences = split_sentences(caption)
    text = caption
    are_read = have_words(labels)
    for label in labels:
        span = (len(text) + 1, len(text) + 1 + len(label))
        text = f"{text}\n{label}"
        sentences += [span] if are_read else []
    return PageFigure(page, caption, read_figure_number(caption), text, section, boxes, tuple(sentences))


def have_words(texts: Sequence[str]) -> bool:
    """Return whether the texts of a figure have words, rather than the numbers and letters of its axes."""
    words = [word for text in texts for word in _WORD.findall(text)]
    letters = sum(map(len, words))
    return len(words) >= _MIN_WORDS and letters > _MIN_LETTERS * sum(len("".join(text.split())) for text in texts)

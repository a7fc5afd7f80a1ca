"""Comparison of a document with the words of its source, so that no text is lost without a warning. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from hopline_ingest.formats.parsed_document import ParsedDocument

MAX_LOSS: Final = 0.02  # share of the letters and digits of a source that may be missing without a warning
_MIN_LOST: Final = 12  # letters and digits
_WINDOW: Final = 20_000  # letters and digits in which the next text of a source is searched before all others
_RUN_LENGTH: Final = 8  # letters and digits
_EXAMPLE: Final = 80  # characters of a lost text in the warning
_WORD: Final = re.compile(r"[^\W_]+")
_NO_BLANKS: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # Thai, Lao, kana, Chinese characters
_PAIR: Final = re.compile("..?")


def warn_of_loss(document: ParsedDocument, source: Iterable[str]) -> ParsedDocument:
    """Return the document with a warning if more than `MAX_LOSS` of its source is in none of its texts.

    ``source`` are the lines or paragraphs of the source. What the document lists as left out counts as explained.
    """
    loss, examples = measure_loss(document, source)
    if loss <= MAX_LOSS or sum(map(len, map(simplify_text, examples))) < _MIN_LOST:
        return document
    shown = " … ".join(text[:_EXAMPLE] for text in examples[:2])
    warning = f"about {max(1, round(100 * loss))} % of the text could not be read, for example: {shown}"
    return replace(document, warnings=(*document.warnings, warning))


def measure_loss(document: ParsedDocument, source: Iterable[str]) -> tuple[float, list[str]]:
    """Return the share of the letters and digits of ``source`` that the document lacks, and the lost texts in order.

    A text is found whatever blanks and punctuation are between its letters; one that is not found as a whole is
    looked up word by word.
    """
    texts = list(_list_texts(document))
    stored = "".join(map(simplify_text, texts))
    words = {word for text in texts for word in _split_words(text)}
    total, lost, position, examples = 0, 0, 0, []
    for text in source:
        letters = simplify_text(text)
        total += len(letters)
        found_at = stored.find(letters, position, position + _WINDOW)  # most texts follow the one before
        if found_at < 0:
            found_at = stored.find(letters)
        if found_at >= 0:
            position = found_at
            continue
        missing = [word for word in _split_runs(text) if word not in words and word not in stored]
        if missing:
            lost += sum(map(len, missing))
            examples.append(" ".join(text.split()))
    return (lost / total if total else 0.0), examples


def list_missing_texts(texts: Iterable[str], shown: str) -> Iterator[str]:
    """Yield the texts that are not in another text, whatever blanks and punctuation are between their letters.

    The other text is cut into runs of `_RUN_LENGTH` letters, and is only searched for a text that consists of such
    runs from one of its first letters on: a search for each text would take the square of the length.
    """
    letters = simplify_text(shown)
    runs = set(_cut_runs(letters, 0))
    for text in texts:
        wanted = simplify_text(text)
        is_cut = any(runs.issuperset(_cut_runs(wanted, first)) for first in range(_RUN_LENGTH))
        if not is_cut or wanted not in letters:
            yield text


def _cut_runs(letters: str, first: int) -> Iterator[str]:
    """Yield the whole runs of letters from one of the first letters on."""
    return (letters[start : start + _RUN_LENGTH] for start in range(first, len(letters) - _RUN_LENGTH + 1, _RUN_LENGTH))


def _list_texts(document: ParsedDocument) -> Iterable[str]:
    yield document.title
    for passage in document.passages:
        yield from passage.section
        yield passage.text
    for table in document.tables:
        yield from table.section
        yield table.caption
        for row in table.cells:
            yield from row
    for figure in document.figures:
        yield from figure.section
        yield figure.text
    yield from document.left_out


def simplify_text(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without ligatures and other compatibility forms."""
    return "".join(_split_words(text))


def _split_runs(text: str) -> list[str]:
    """Return the words of a text; a run of a script without blanks between words is split into pairs of characters."""
    return [
        part for word in _split_words(text) for part in (_PAIR.findall(word) if _NO_BLANKS.search(word) else [word])
    ]


def _split_words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text.replace("\u00ad", "")).casefold())

"""The language of a question, by its script and its words without content; and parts of words in any language."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from hopline.text.parser import load_stop_words
from hopline.text_encoding import remove_accents

ENGLISH: Final = "en"
_LATIN_LANGUAGES: Final = ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl")
_SCRIPTS: Final = {"ja": "[\u3040-\u30ff]", "zh": "[\u3400-\u9fff]", "ru": "[\u0400-\u04ff]"}
_NUMBER_QUESTIONS: Final = {
    "de": ("wann", "wie viel", "wieviel", "wie hoch", "wie lang", "wie groß", "wie alt", "wie weit"),
    "fr": ("combien", "quand", "quelle heure", "quelle année", "quelle date"),
    "es": ("cuánt", "cuándo", "qué hora", "qué año"),
    "it": ("quant", "quando", "che ora", "che anno"),
    "pt": ("quant", "quando", "que horas", "que ano"),
    "nl": ("wanneer", "hoeveel", "hoe hoog", "hoe lang", "hoe laat"),
    "sv": ("när", "hur m", "hur hög", "hur lång"),
    "da": ("hvornår", "hvor m", "hvor høj", "hvor lang"),
    "nb": ("når", "hvor m", "hvor høy", "hvor lang"),
    "pl": ("kiedy", "ile", "która godzina", "jak wysok"),
    "ru": ("сколько", "когда", "каком году", "во сколько"),
    "zh": ("多少", "几", "幾", "哪一年", "哪年", "何时", "什么时候", "多高", "多长", "多重", "多大"),
    "ja": ("いつ", "いくら", "いくつ", "何時", "何年", "何人", "何月", "何日", "何トン", "何メートル", "どれくらい"),
}
_MIN_WORDS: Final = 2  # without content, of another language than English
_LETTER: Final = re.compile(r"[^\W\d_]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_RUN: Final = re.compile(r"(?P<unspaced>[\u3040-\u30ff\u3400-\u9fff々ー]+)|(?P<number>\d+)|(?P<word>[^\W\d_]+)")


def detect_language(text: str) -> str:
    """Return the code of the language of a question; "" if its letters are of a script that no known language has.

    English, unless more of its words are words without content of another language.
    """
    if not is_latin(text):
        return next((code for code, script in _SCRIPTS.items() if re.search(script, text)), "")
    words = _WORD.findall(text.lower())
    counts = {code: sum(word in load_stop_words(code) for word in words) for code in (ENGLISH, *_LATIN_LANGUAGES)}
    best = max(counts, key=lambda code: counts[code])  # English of equal ones
    return best if counts[best] >= _MIN_WORDS else ENGLISH


def is_latin(text: str) -> bool:
    """Return whether at least half of the letters of a text are Latin."""
    letters: list[str] = _LETTER.findall(text)
    return 2 * sum(_LATIN.match(letter) is not None for letter in letters) >= len(letters)


def asks_for_number(question: str, language: str) -> bool:
    """Return whether a question in another language than English asks for a number or a time ("wann", "多少")."""
    return any(word in question.lower() for word in _NUMBER_QUESTIONS.get(language, ()))


def list_grams(text: str, language: str = "") -> frozenset[str]:
    """Return the parts by which inflected words and words without blanks between them are compared.

    They are single characters and pairs of characters of Chinese and Japanese, numbers, and three letters of other
    words, those at the beginning of a word with a blank before them. Words without content of ``language`` are left
    out.
    """
    stop_words = load_stop_words(language) if language else frozenset()
    grams: set[str] = set()
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        run = match[0]
        if match["number"]:
            grams.add(run)
        elif match["unspaced"]:
            pairs = (first + second for first, second in pairwise(run))
            grams.update(gram for gram in (*run, *pairs) if gram not in stop_words)
        elif run not in stop_words:
            padded = f" {remove_accents(run)}"
            grams.update(padded[i : i + 3] for i in range(max(1, len(padded) - 2)))
    return frozenset(grams)

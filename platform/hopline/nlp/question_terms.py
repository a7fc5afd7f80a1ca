"""Names, numbers and content words of a question, and which of them a text contains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hopline.nlp.vocabulary import words as read_words
from hopline.text_encoding import remove_accents

_NAME: Final = re.compile(
    r"[A-Z][\w'’&-]*(?:(?:\s+|\s+of\s+(?:the\s+)?|\s*&\s*)[A-Z][\w'’&-]*)*|[“\"]([^”\"]{3,})[”\"]"
)
_NUMBER: Final = re.compile(r"\d[\d,.]*\d|\d")
# "In the report of 2010, did …": words before the question itself, without a question word.
_PREAMBLE: Final = (
    r"(?:(?:according\s+to|after|as|at|before|by|during|for|from|in|of|on|under|with)\b"
    r"(?:(?!\b(?:which|what|whose|whom|how|why)\b)[^?])*?,\s+)?"
)
_YES_NO: Final = re.compile(
    _PREAMBLE + r"(?!(?:can|could|will|would)\s+you\b)"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b(?!.*\bor\b)",
    re.IGNORECASE,
)
_EXPLAINED: Final = re.compile(
    _PREAMBLE + r"(?:why|how(?! (?:many|much|long|old|far|often|large|big|high|fast|tall|warm)))\b", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W_]{3,}")
_POSSESSIVE: Final = re.compile(r"['’]s?(?:\s+|$)")
_FISCAL_YEAR: Final = re.compile(r"\bFY\s?[’']?(\d\d(?:\d\d)?)\b")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_FUNCTION_WORDS: Final = frozenset(read_words("function"))


def find_names(question: str) -> list[str]:
    """Find the names of a question, in order: runs of capitalised words, and what is in quotation marks."""
    names = []
    for match in _NAME.finditer(question):
        for part in [match[1]] if match[1] else _POSSESSIVE.split(match[0]):
            words = part.split()
            while not match[1] and words and words[0].lower() in _FUNCTION_WORDS:
                words.pop(0)
            name = " ".join(words)
            if len(name) > 1 and name not in names:
                names.append(name)
    return names


def expand_fiscal_years(question: str) -> str:
    """Return a question with "FY2022", "FY 22" and "FY'22" as "fiscal 2022", as documents write it."""
    return _FISCAL_YEAR.sub(lambda match: f"fiscal {match[1] if len(match[1]) == 4 else '20' + match[1]}", question)


def asks_yes_or_no(question: str) -> bool:
    """Whether a question is answered by yes or no: it begins with a verb and gives no choice.

    "In the report, …" may precede the verb, here and in `asks_for_explanation`.
    """
    return bool(_YES_NO.match(question.strip()))


def asks_for_explanation(question: str) -> bool:
    """Whether a question asks for a reason or a manner, which a sentence gives rather than a few words."""
    return bool(_EXPLAINED.match(question.strip()))


def is_latin(text: str) -> bool:
    """Return whether at least half of the letters of a text are Latin."""
    letters: list[str] = _LETTER.findall(text)
    return 2 * len([letter for letter in letters if _LATIN.match(letter)]) >= len(letters)


def find_numbers(question: str) -> list[str]:
    """Find the numbers and years of a question, in order."""
    return list(dict.fromkeys(_NUMBER.findall(question)))


def find_content_words(text: str) -> frozenset[str]:
    """The words of a text of three letters and more, in lower case, without function words."""
    return frozenset(word.lower() for word in _WORD.findall(text)) - _FUNCTION_WORDS


def contains_name(text: str, name: str) -> bool:
    """Return whether a text contains each word of a name or number as a whole word, in any case, with any accents."""
    if not (text.isascii() and name.isascii()):
        text, name = remove_accents(text), remove_accents(name)
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in name.split())


def find_unmatched(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The names and numbers of a question that no text contains."""
    text = "\n".join(texts)
    return tuple(name for name in (*find_names(question), *find_numbers(question)) if not contains_name(text, name))

"""Negative samples of the reader: a question and a passage that looks as if it answered it, and does not.

Negatives made by rules are easier than those that people write, but they help: exchanged names and antonyms raise the
figures of SQuAD 2.0 (Gautam et al. 2023, "A Lightweight Method to Generate Unanswerable Questions in English").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from hopline.text.values import is_year

MIN_REST: Final = 120  # characters that a passage keeps at least
SAMPLED: Final = 30  # paragraphs of an article that are compared with a question
NEAREST: Final = 3  # of them, from which one is chosen
_SENTENCE: Final = re.compile(r"\S.*?(?:[.!?](?=\s)|\n|$)\s*", re.DOTALL)
_LONG_WORD: Final = re.compile(r"\w{4,}")
_NAME: Final = re.compile(r"(?<=[\w,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*|(?<![\w.])\d[\d.,]*\b")
_PAIRS: Final = """
first last, largest smallest, biggest smallest, highest lowest, most least, oldest youngest, earliest latest,
early late, longest shortest, best worst, more fewer, more less, higher lower, larger smaller, older newer,
before after, increase decrease, increased decreased, rise fall, rose fell, gain lose, gained lost, win lose, won lost,
began ended, begin end, start finish, started finished, opened closed, open close, built destroyed, founded dissolved,
buy sell, bought sold, joined left, join leave, arrive depart, arrived departed, born killed, enter exit,
north south, northern southern, east west, eastern western, upper lower, above below, inside outside, indoor outdoor,
minimum maximum, majority minority, positive negative, major minor, support oppose, supported opposed,
accepted rejected, allowed forbidden, allow forbid, legal illegal, public private, male female, men women,
father mother, brother sister, husband wife, son daughter, cause prevent, caused prevented, success failure,
strong weak, stronger weaker, fast slow, hot cold, heavy light, rich poor, urban rural, ancient modern,
common rare, known unknown, able unable, possible impossible, national local, domestic foreign, import export,
ally enemy, victory defeat, advantage disadvantage, benefit drawback, similar different, same different,
original replacement, former current, previous next, winter summer, day night, morning evening, left right
"""


def _read_antonyms() -> Mapping[str, tuple[str, ...]]:
    antonyms: dict[str, tuple[str, ...]] = {}
    for pair in _PAIRS.replace("\n", " ").split(","):
        first, second = pair.split()
        antonyms[first] = (*antonyms.get(first, ()), second)
        antonyms[second] = (*antonyms.get(second, ()), first)
    return antonyms


_ANTONYMS: Final = _read_antonyms()


def find_names(text: str) -> list[str]:
    """The names and numbers of a text, apart from a name at its beginning."""
    return list(dict.fromkeys(name.rstrip(".,") for name in _NAME.findall(text)))


def choose_distractor(question: str, answers: Sequence[str], paragraphs: Sequence[str], random: Random) -> int | None:
    """One of the three paragraphs that share most words with a question, without an answer in them; None if all do."""
    lowered = [answer.lower() for answer in answers]
    others = [number for number, text in enumerate(paragraphs) if not any(answer in text.lower() for answer in lowered)]
    if not others:
        return None
    words = find_long_words(question)
    sampled = random.sample(others, min(len(others), SAMPLED))
    ranked = sorted(sampled, key=lambda number: -len(words & find_long_words(paragraphs[number])))
    return random.choice(ranked[:NEAREST])


@lru_cache(maxsize=4096)
def find_long_words(text: str) -> frozenset[str]:
    """The words of four letters and more, in lower case."""
    return frozenset(_LONG_WORD.findall(text.lower()))


def remove_answer(text: str, answers: Sequence[str], *, by_line: bool = False) -> str | None:
    """The text without its sentences, or its lines, that hold an answer; None if little is left."""
    sentences = text.splitlines(keepends=True) if by_line else _SENTENCE.findall(text)
    lowered = [answer.lower() for answer in answers]
    rest = "".join(
        sentence for sentence in sentences if not any(answer in sentence.lower() for answer in lowered)
    ).strip()
    return rest if MIN_REST <= len(rest) < len(text) - 1 else None


def swap_name(question: str, names: Sequence[str], random: Random) -> str | None:
    """The question with one of its names or numbers replaced by one of ``names`` of the same kind; None if none fits.

    A year is replaced by a year, a number by a number, a name by a name.
    """
    own = find_names(question)
    if not own:
        return None
    old = random.choice(own)
    fitting = [name for name in names if get_kind(name) == get_kind(old) and not _overlap(name, question)]
    return question.replace(old, random.choice(fitting), 1) if fitting else None


def get_kind(name: str) -> str:
    """Return the kind of a name or number: "year", "number" or "name"."""
    if is_year(name):
        return "year"
    return "number" if name[0].isdigit() else "name"


def _overlap(name: str, question: str) -> bool:
    """Whether a word of the name is in the question: "Quist" for "Ada Quist" would not change it."""
    return any(word in question for word in name.split())


def reverse_meaning(question: str, random: Random) -> str | None:
    """The question with one of its words replaced by its antonym; None if it has no word with a known antonym."""
    words = [word for word in re.findall(r"[a-z]+", question) if word in _ANTONYMS]
    if not words:
        return None
    word = random.choice(words)
    return re.sub(rf"\b{word}\b", random.choice(_ANTONYMS[word]), question, count=1)

"""Two-hop questions: a thing that the question describes is found first, and its name is filled in.

"How old was the executive who leads the Geek Squad?" asks first "Who is the executive who leads the Geek Squad?" and
then "How old was Damien Harmon?".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.nlp.question_parser import load_question_parser

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_DESCRIPTION_WORDS: Final = 16
_ARTICLE: Final = re.compile(r"\bthe\b", re.IGNORECASE)
_DESCRIBES: Final = frozenset({"relcl", "acl", "prep"})
_CONTENT: Final = frozenset({"NOUN", "VERB", "ADJ", "PROPN", "ADV"})
_EMPTY: Final = frozenset({"name", "title", "called", "named"})
_PERSON: Final = frozenset({"who", "whom"})
_ASKING_TAGS: Final = frozenset({"WDT", "WP", "WRB", "WP$"})
_COMPARING_TAGS: Final = frozenset({"JJR", "RBR"})
_BE: Final = frozenset({"is", "are", "was", "were", "'s"})
_TIMES: Final = frozenset({"end", "beginning", "start", "quarter", "half", "month", "year", "time", "course", "case"})


@dataclass(frozen=True, slots=True)
class TwoHopQuestion:
    """A question with the span of the description in it, and the question for what is described."""

    text: str
    start: int
    end: int
    first: str

    @property
    def description(self) -> str:
        """The words that describe a thing by its name or relation: "the executive who leads the Geek Squad"."""
        return self.text[self.start : self.end]

    def fill_in(self, name: str) -> str:
        """The question with a name in place of the description."""
        possessive = "'s" if self.description.rstrip().endswith(("'s", "’s")) else ""
        return f"{self.text[: self.start]}{name}{possessive}{self.text[self.end :]}"


def parse_two_hop_question(text: str) -> TwoHopQuestion | None:
    """Parse a question that describes a thing by something with a name; None if it asks for one thing directly.

    Of several descriptions, the longest is taken without which the question still asks for something.
    """
    if not _ARTICLE.search(text):  # every description begins with it; the parser takes a second to load
        return None
    doc = load_question_parser()(text)
    best: tuple[Token, list[Token]] | None = None
    for noun in doc:
        words = _read_description(noun)
        if words and not _still_asks(doc, words):
            words = _cut_behind_name(words)
        if words and _still_asks(doc, words) and (best is None or len(words) > len(best[1])):
            best = noun, words
    if best is None:
        return None
    start, end = best[1][0].idx, best[1][-1].idx + len(best[1][-1].text)
    inside = text[start:end]
    if inside.count("(") > inside.count(")") and text[end : end + 1] == ")":
        end += 1
    person = any(word.lower_ in _PERSON for word in best[1])
    return TwoHopQuestion(text, start, end, f"{'Who' if person else 'What'} is {text[start:end]}?")


def _read_description(noun: Token) -> list[Token]:
    """The words of a common noun with what describes it, if that has a name or number; else none."""
    if noun.pos_ != "NOUN" or noun.lower_ in _TIMES or not any(child.dep_ in _DESCRIBES for child in noun.children):
        return []
    if _is_asked_for(noun):
        return []
    words = list(noun.doc[noun.left_edge.i : noun.right_edge.i + 1])
    while words and (words[-1].is_punct or words[-1].is_space):
        words.pop()
    if not words or words[0].lower_ != "the" or len(words) > MAX_DESCRIPTION_WORDS:
        return []
    named = any(word.pos_ in {"PROPN", "NUM"} for word in words if word.i > noun.i)
    asks = any(word.tag_ in _ASKING_TAGS for word in words if word.i < noun.i or word.lower_ == "what")
    compares = any(word.tag_ in _COMPARING_TAGS for word in words)
    return words if named and not asks and not compares else []


def _cut_behind_name(words: Sequence[Token]) -> list[Token]:
    """The words up to the last name or number: the parser takes "the director of Salt born" for one description."""
    last = max(index for index, word in enumerate(words) if word.pos_ in {"PROPN", "NUM"})
    return list(words[: last + 1])


def _is_asked_for(noun: Token) -> bool:
    """Whether the description itself is what the question asks for: "What was the revenue of Adobe in 2022?"."""
    root = noun.head
    return root.lower_ in _BE and any(word.tag_ == "WP" and word.head == root for word in noun.doc)


def _still_asks(doc: Iterable[Token], words: Sequence[Token]) -> bool:
    """Whether what is left besides the description has a word of content."""
    inside = {word.i for word in words}
    return any(
        word.pos_ in _CONTENT and word.tag_ not in _ASKING_TAGS and word.lower_ not in _EMPTY
        for word in doc
        if word.i not in inside
    )

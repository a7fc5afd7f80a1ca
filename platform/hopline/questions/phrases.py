"""Noun phrases of a question, and how alike two of them are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import strip_punctuation
from hopline.text.parser import load_question_parser
from hopline.text.words import normalize_word, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

QUESTION_TAGS: Final = frozenset({"WP", "WP$", "WDT", "WRB"})  # tags of question words
DO: Final = {"do": "is", "does": "were", "did": "was"}  # with a form of "be" of the same length

# points for what two phrases have in common
SAME_HEAD: Final = 4
SAME_KIND: Final = 3
BOTH_NAMES: Final = 2
SAME_ARTICLE: Final = 1


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase of a question: its span in the text, head noun, article, and whether it is a name."""

    text: str
    start: int
    end: int
    head: str
    article: str
    is_name: bool
    preposition: str = ""


def list_phrases(doc: Doc) -> Iterator[Phrase]:
    """Yield the noun phrases of a question that it does not ask for; the owner in "Tarn's mayor" is one by itself."""
    for words in _list_chunks(parse_without_verb(doc)):
        tokens = [token for token in words if token.tag_ not in {"CC", "PDT"}]
        if not tokens or any(token.tag_ in QUESTION_TAGS for token in tokens) or tokens[-1].pos_ == "PRON":
            continue
        possessive = next((n for n, token in enumerate(tokens) if token.tag_ == "POS"), None)
        if possessive:
            tokens = tokens[:possessive]
        yield build_phrase(doc, tokens)


def _list_chunks(doc: Doc) -> list[list[Token]]:
    """List the words of the noun chunks; a name without an article belongs to the chunk before it ("the club Teal")."""
    chunks: list[list[Token]] = []
    for chunk in doc.noun_chunks:
        follows = bool(chunks) and chunks[-1][-1].i + 1 == chunk.start
        if follows and chunk[0].text[0].isupper() and chunks[-1][0].tag_ == "DT":
            chunks[-1] += list(chunk)
        else:
            chunks.append(list(chunk))
    return [_append_number(words) for words in chunks]


def _append_number(words: list[Token]) -> list[Token]:
    """Append the number behind a name: "the Lynx 400"."""
    following = words[-1].doc[words[-1].i + 1 : words[-1].i + 2]
    is_number = bool(following) and following[0].tag_ == "CD" and words[-1].text[0].isupper()
    return [*words, *following] if is_number else words


def parse_without_verb(doc: Doc) -> Doc:
    """Parse a question without the verb at its end if the parser took it for a noun: "When does the chess club meet?".

    The words keep their indices: "do" is replaced by a form of "be" of the same length.
    """
    words = strip_punctuation(doc)
    do = next((token for token in words if token.lower_ in DO), None)
    if do is None or do == words[0] or any(token.pos_ == "VERB" and token.lower_ not in DO for token in words):
        return doc
    last = words[-1]
    if not last.text.islower() or last.tag_ not in {"NN", "JJ"} or words[-2].tag_ in {"IN", "TO", "DT"}:
        return doc
    before = f"{doc.text[: do.idx]}{DO[do.lower_]}{doc.text[do.idx + len(do.text) : last.idx]}"
    return load_question_parser()(before.rstrip())


def build_phrase(doc: Doc, tokens: Sequence[Token], preposition: str = "") -> Phrase:
    """Return the phrase of adjacent words; ``preposition`` is that before it, by default the one in the parse."""
    first, last = tokens[0], tokens[-1]
    start, end = first.idx, last.idx + len(last.text)
    article = first.lower_.replace("an", "a") if first.tag_ in {"DT", "PRP$"} else ""
    before = first.head if preposition == "" else None
    governor = last.head if last.dep_ == "pobj" else before
    is_name = any(token.text[0].isupper() for token in tokens if token.tag_ != "DT")
    word = preposition or (governor.lower_ if governor is not None and governor.tag_ in {"IN", "TO"} else "")
    return Phrase(doc.text[start:end], start, end, stem(normalize_word(last.text)), article, is_name, word)


def _rate_likeness(phrase: Phrase, other: Phrase, kinds: Mapping[str, str]) -> int:
    if phrase.is_name != other.is_name:
        return -1
    points = SAME_HEAD * (phrase.head == other.head) + BOTH_NAMES * phrase.is_name
    known = [kinds.get(item.text.lower().removeprefix("the ")) for item in (phrase, other)]
    if all(known):
        points += SAME_KIND if known[0] == known[1] else -BOTH_NAMES  # of rare names, the kind is often wrong
    return points + SAME_ARTICLE * (phrase.article == other.article)


def find_likest(
    phrase: Phrase, others: Sequence[Phrase], kinds: Mapping[str, str], least: int = SAME_ARTICLE
) -> Phrase | None:
    """Find the phrase that is most like another one; None if two are equally like it, or none is."""
    rated = sorted(((_rate_likeness(phrase, other, kinds), n) for n, other in enumerate(others)), reverse=True)
    if not rated or rated[0][0] < least or (len(rated) > 1 and rated[1][0] == rated[0][0]):
        return None
    comparable = [other for other in others if other.is_name == phrase.is_name]
    is_weak = rated[0][0] == SAME_ARTICLE and phrase.article == "the" and len(comparable) > 1
    return None if is_weak else others[rated[0][1]]

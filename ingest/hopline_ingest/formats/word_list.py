"""English words and compounds: those of spaCy's model, and frequent words, which are tokens of the embedding model."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hopline.embeddings.minilm import minilm_folder
from hopline.text.parser import load_parser

_OTHER_COMPONENTS = ("tok2vec", "tagger", "parser", "senter", "ner", "attribute_ruler")
_MIN_STORED = 4  # letters; spaCy stores the last three letters of each word as if they were a word
_MIN_REST = 3  # letters of a word that follows the first part of another one
_MIN_COMPOUNDS = 8  # compounds that end with the same word


@dataclass(frozen=True, slots=True)
class WordList:
    """Words and compounds in lower case.

    ``texts`` are those of the texts that the model is trained on, in alphabetical order: their use of hyphens is not
    that of a dictionary. ``frequent`` words have no hyphen. Many compounds end with one of the ``last_parts``, such as
    "based" and "free".
    """

    words: frozenset[str]
    texts: tuple[str, ...]
    frequent: frozenset[str]
    last_parts: frozenset[str]

    def __contains__(self, word: str) -> bool:
        return word in self.words

    def count_continuations(self, part: str) -> tuple[int, int]:
        """Count the compounds and the solid words of texts that consist of ``part`` and a word."""
        rests = [word[len(part) :] for word in self._list_words(part)]
        compounds = sum(rest.startswith("-") and self._is_rest(rest[1:]) for rest in rests)
        return compounds, sum(map(self._is_rest, rests))

    def _list_words(self, start: str) -> Iterator[str]:
        for index in range(bisect_left(self.texts, start), len(self.texts)):
            if not self.texts[index].startswith(start):
                return
            yield self.texts[index]

    def _is_rest(self, text: str) -> bool:
        return len(text) >= _MIN_REST and text in self.words


@cache
def load_word_list() -> WordList:
    """Load the words at their first use, which takes a second."""
    model = load_parser(exclude=_OTHER_COMPONENTS)
    lemmatizer: Any = model.get_pipe("lemmatizer")
    frequent = frozenset(filter(str.isalpha, (minilm_folder() / "vocab.txt").read_text(encoding="utf-8").split()))
    texts = {word.lower() for word in model.vocab.strings if len(word) >= _MIN_STORED}
    dictionary = (lemmatizer.lookups.get_table(name).values() for name in ("lemma_index", "lemma_exc"))
    words = texts.union(frequent, *(entries for tables in dictionary for entries in tables))
    last_parts = Counter(word.rpartition("-")[2] for word in words if "-" in word)
    return WordList(
        words=frozenset(words),
        texts=tuple(sorted(texts)),
        frequent=frequent,
        last_parts=frozenset(part for part, count in last_parts.items() if part and count >= _MIN_COMPOUNDS),
    )

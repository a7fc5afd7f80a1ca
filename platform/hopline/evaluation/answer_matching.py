"""Whether an answer is right and a quote is there: pure functions on texts.

`exact_match` and `token_f1` compare as SQuAD does (Rajpurkar et al. 2016, https://arxiv.org/abs/1606.05250):
lower case, no punctuation, no articles, single spaces.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from hopline.evaluation.questions import Question, Quote, Structure
from hopline.types import Citation, Evidence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_SUFFIX = re.compile(r"^\.[a-z]{2,5}$")


def squad_form(text: str) -> str:
    """The form in which SQuAD compares answers."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(given: str, right: Iterable[str]) -> float:
    """1 where ``given`` is one of the right answers in SQuAD's form, else 0."""
    form = squad_form(given)
    return float(any(form == squad_form(answer) for answer in right))


def token_f1(given: str, right: Iterable[str]) -> float:
    """Harmonic mean of the precision and recall of words; the best over the right answers."""
    return max((_f1(squad_form(given).split(), squad_form(answer).split()) for answer in right), default=0.0)


def golden_match(given: str, right: Iterable[str]) -> float:
    """1 where a right answer stands in ``given`` as whole words, in SQuAD's form, else 0 (Asai et al. 2023; RAS)."""
    said = f" {squad_form(given)} "
    return float(any(form and f" {form} " in said for form in map(squad_form, right)))


def _f1(given: list[str], right: list[str]) -> float:
    if not given or not right:
        return float(given == right)
    shared = (Counter(given) & Counter(right)).total()
    return 2 * shared / (len(given) + len(right))


def letters(text: str) -> str:
    """Letters and digits only, folded: the form in which a quote is found again.

    Spaces, hyphens at line ends, ligatures, and the bars of a table drawn as text do not count.
    """
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def same_document(one: str, other: str) -> bool:
    """Whether two names mean one document: folder, case and a file's suffix do not count."""
    return _stem(one) == _stem(other)


def _stem(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/").casefold())
    return path.stem if _SUFFIX.match(path.suffix) else path.name


def quote_found(quote: Quote, evidence: Iterable[Evidence]) -> bool:
    """Whether one of the evidence, of the quote's document, holds the whole quote."""
    wanted = letters(quote.text)
    return any(same_document(quote.document, one.document) and wanted in letters(_shown(one)) for one in evidence)


def structure_found(structure: Structure, evidence: Iterable[Evidence]) -> bool:
    """Whether the evidence holds something of that page, or that table: by its number, or any of its page for "?"."""
    for one in evidence:
        if not same_document(structure.document, one.document):
            continue
        if structure.table and one.kind == "table" and structure.table in {"?", one.number}:
            if structure.table != "?" or structure.page in one.pages:
                return True
        elif not structure.table and structure.page in one.pages:
            return True
    return False


def _shown(evidence: Evidence) -> str:
    return f"{evidence.caption} {evidence.text}" if evidence.caption else evidence.text


def holds_answer(citation: Citation, question: Question) -> bool:
    """Whether a citation quotes the sentence that answers the question.

    Its quote, of a gold quote's document, lies around that gold quote, or within it and holds an
    answer where the gold quote does. Of several gold quotes those with an answer count, if any has one.
    """
    cited = letters(citation.quote)
    answers = [form for answer in question.answers if (form := letters(answer))]
    quotes = {letters(quote.text): quote for quote in question.quotes if letters(quote.text)}
    literal = {gold for gold in quotes if any(form in gold for form in answers)}
    for gold in literal or quotes:
        if not cited or not same_document(quotes[gold].document, citation.document):
            continue
        if gold in cited or (cited in gold and (not literal or any(form in cited for form in answers))):
            return True
    return False

"""Matching of answers and quotes: pure functions on texts.

`exact_match` and `token_f1` compare as SQuAD does (Rajpurkar et al. 2016, https://arxiv.org/abs/1606.05250):
lower case, no punctuation, no articles, single spaces. A text of which nothing is left ("A", "-") only matches the same
text but for case and spaces, and an empty answer matches nothing. As in HotpotQA's evaluation, the F1 of "yes" or "no"
and any other text is 0.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from hopline.evaluation.questions import Question, Quote, Structure
from hopline.results import Citation, Evidence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_SUFFIX = re.compile(r"^\.[a-z]{2,5}$")
_VERDICTS = frozenset({"yes", "no", "noanswer"})


def normalize_answer(text: str) -> str:
    """Normalise an answer as SQuAD does before comparison."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, correct_answers: Iterable[str]) -> float:
    """1 if ``answer`` equals one of the correct answers after normalization, else 0."""
    return float(any(_is_same(answer, correct) for correct in correct_answers))


def token_f1(answer: str, correct_answers: Iterable[str]) -> float:
    """Harmonic mean of the precision and recall of tokens; the maximum over the correct answers.

    0 if one of two different texts is "yes", "no" or "noanswer" (HotpotQA).
    """
    return max(
        (_compute_f1(answer, correct) for correct in correct_answers),
        default=0.0,
    )


def golden_match(answer: str, correct_answers: Iterable[str]) -> float:
    """1 if the normalized answer contains a correct answer as whole words, else 0 (Asai et al. 2023; RAS)."""
    return float(any(_is_same(answer, correct) or _contains_words(answer, correct) for correct in correct_answers))


def _is_same(answer: str, correct: str) -> bool:
    """Whether two texts are equal after normalization; if nothing is left of one, whether they are equal before it."""
    normalized, wanted = normalize_answer(answer), normalize_answer(correct)
    if normalized and wanted:
        return normalized == wanted
    words = answer.casefold().split()
    return bool(words) and words == correct.casefold().split()


def _contains_words(answer: str, correct: str) -> bool:
    wanted = normalize_answer(correct)
    return bool(wanted) and f" {wanted} " in f" {normalize_answer(answer)} "


def _compute_f1(answer: str, correct: str) -> float:
    tokens, wanted = normalize_answer(answer).split(), normalize_answer(correct).split()
    if not tokens or not wanted:
        return float(_is_same(answer, correct))
    if tokens != wanted and any(" ".join(side) in _VERDICTS for side in (tokens, wanted)):
        return 0.0
    common = (Counter(tokens) & Counter(wanted)).total()
    return 2 * common / (len(tokens) + len(wanted))


def normalize_quote(text: str) -> str:
    """Normalise a quote to its letters and digits, case-folded.

    Spaces, hyphens at line ends, ligatures, and the bars of tables drawn as text are ignored.
    """
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def is_same_document(first: str, second: str) -> bool:
    """Whether two names denote the same document: folder, case and file suffix are ignored."""
    return _stem(first) == _stem(second)


def _stem(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/").casefold())
    return path.stem if _SUFFIX.match(path.suffix) else path.name


def contains_quote(quote: Quote, evidence: Iterable[Evidence]) -> bool:
    """Whether some evidence from the quote's document contains the whole quote."""
    text = normalize_quote(quote.text)
    return bool(text) and any(
        is_same_document(quote.document, item.document) and text in normalize_quote(_full_text(item))
        for item in evidence
    )


def contains_structure(structure: Structure, evidence: Iterable[Evidence]) -> bool:
    """Whether some evidence is from the page, or is the table, by its number or, for "?", any table of the page."""
    for item in evidence:
        if not is_same_document(structure.document, item.document):
            continue
        if structure.table and item.kind == "table" and structure.table in {"?", item.number}:
            if structure.table != "?" or structure.page in item.pages:
                return True
        elif not structure.table and structure.page in item.pages:
            return True
    return False


def _full_text(evidence: Evidence) -> str:
    return f"{evidence.caption} {evidence.text}" if evidence.caption else evidence.text


def quotes_answer(citation: Citation, question: Question) -> bool:
    """Whether a citation quotes the sentence that answers the question.

    Its quote is from the document of a gold quote and either contains that gold quote, or is contained
    in it and contains an answer if the gold quote does. If some gold quotes contain an answer, only those count.
    """
    cited_text = normalize_quote(citation.quote)
    answers = [normalized for answer in question.answers if (normalized := normalize_quote(answer))]
    quotes = {normalize_quote(quote.text): quote for quote in question.quotes if normalize_quote(quote.text)}
    with_answer = {gold_text for gold_text in quotes if any(normalized in gold_text for normalized in answers)}
    for gold_text in with_answer or quotes:
        if not cited_text or not is_same_document(quotes[gold_text].document, citation.document):
            continue
        if gold_text in cited_text or (
            cited_text in gold_text and (not with_answer or any(normalized in cited_text for normalized in answers))
        ):
            return True
    return False

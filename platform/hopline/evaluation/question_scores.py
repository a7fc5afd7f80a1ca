"""What one question scores, metric by metric.

    R@k              share of its gold passages among the first k             questions with ``gold``
    all@k            1 where all of them are there
    P@k              share of the first k that is gold
    MRR              one over the rank of the first
    quote@10         share of its gold quotes within one of the first ten     questions with quotes
    page@k           1 where a gold page is among the first k evidence pages
    Struct-EM        1 where every page and table that it names is there      questions with structures (KGP)
    EM, F1           the answer against the right ones, as SQuAD does         answerable questions put to `ask`
    match            1 where a right answer stands in the whole answer        the same (golden match)
    ROUGE-L          the whole answer against the right ones (ROUGE-Lsum)     the same, where a right one is long
    accuracy         1 where a model that sees the right answers says so      the same, where grading is asked for
    answered         1 where it was answered                                  answerable questions
    abstained        1 where it was not                                       questions that nothing answers
    cited            1 where a citation quotes the sentence with the answer   answerable questions with quotes
    cited if given   the same, over the questions that were answered

A question that failed scores 0 in each metric that it has.
"""

from __future__ import annotations

from hopline.evaluation.answer_matching import (
    exact_match,
    golden_match,
    holds_answer,
    quote_found,
    same_document,
    structure_found,
    token_f1,
)
from hopline.evaluation.questions import Question
from hopline.evaluation.ranking_metrics import all_found, pages, precision, recall, reciprocal_rank, sources
from hopline.evaluation.rouge import rouge_lsum
from hopline.types import Answer, Evidence, Retrieval

CUTOFFS = {"R": (2, 5, 10, 15), "all": (5, 10), "P": (5, 10), "page": (5, 10)}
QUOTE_CUTOFF = 10
MANY_WORDS = 20  # of a right answer that nobody gives word for word


def retrieval_scores(question: Question, retrieval: Retrieval | None, *, k: int) -> dict[str, float]:
    """Scores of a ranking of at most ``k``; cutoffs above ``k`` are left out. ``None``: the question failed."""
    evidence = retrieval.evidence if retrieval else ()
    scores = _gold_scores(question, evidence, k) if question.gold else {}
    return scores | (_place_scores(question, evidence, k) if question.answerable else {})


def _gold_scores(question: Question, evidence: tuple[Evidence, ...], k: int) -> dict[str, float]:
    ranked = sources(evidence)
    scores = {f"R@{cut}": recall(ranked, question.gold, cut) for cut in CUTOFFS["R"] if cut <= k}
    scores |= {f"all@{cut}": all_found(ranked, question.gold, cut) for cut in CUTOFFS["all"] if cut <= k}
    scores |= {f"P@{cut}": precision(ranked, question.gold, cut) for cut in CUTOFFS["P"] if cut <= k}
    return scores | {"MRR": reciprocal_rank(ranked, question.gold)}


def _place_scores(question: Question, evidence: tuple[Evidence, ...], k: int) -> dict[str, float]:
    scores: dict[str, float] = {}
    if question.structures:
        scores["Struct-EM"] = float(all(structure_found(one, evidence[:k]) for one in question.structures))
    quotes = [quote for quote in question.quotes if quote.text]
    if quotes and k >= QUOTE_CUTOFF:
        found = [quote_found(quote, evidence[:QUOTE_CUTOFF]) for quote in quotes]
        scores[f"quote@{QUOTE_CUTOFF}"] = sum(found) / len(found)
    if any(quote.page for quote in question.quotes):
        for cut in (cut for cut in CUTOFFS["page"] if cut <= k):
            scores[f"page@{cut}"] = _page_hit(question, pages(evidence)[:cut])
    return scores


def _page_hit(question: Question, seen: list[tuple[str, int]]) -> float:
    gold = [quote for quote in question.quotes if quote.page]
    return float(any(page == one.page and same_document(name, one.document) for name, page in seen for one in gold))


def answer_scores(question: Question, answer: Answer | None) -> dict[str, float]:
    """Scores of an answer. ``None``: the question failed, which is no abstention."""
    if not question.answerable:
        return {"abstained": float(answer is not None and answer.abstained)}
    given = answer if answer is not None and not answer.abstained else None
    scores = {"answered": float(given is not None)}
    if question.answers:
        said = said_of(given) if given else ""
        scores |= {"EM": exact_match(said, question.answers), "F1": token_f1(said, question.answers)}
        whole = f"{given.short} {given.text}" if given else ""
        scores["match"] = golden_match(whole, question.answers)
        if any(len(right.split()) >= MANY_WORDS for right in question.answers):
            scores["ROUGE-L"] = rouge_lsum(given.text if given else "", question.answers)
    if any(quote.text for quote in question.quotes):
        scores["cited"] = float(given is not None and _cites(given, question))
        if given is not None:
            scores["cited if given"] = scores["cited"]
    return scores


def said_of(answer: Answer) -> str:
    """What an answer is marked by: its short form where it has one."""
    return answer.short or answer.text


def _cites(answer: Answer, question: Question) -> bool:
    return any(holds_answer(citation, question) for sentence in answer.sentences for citation in sentence.citations)

"""The scores of one question, by metric.

    R@k              fraction of its gold passages among the first k          questions with ``gold``
    all@k            1 if all of them are among the first k
    P@k              fraction of the first k that is gold
    nDCG@10          discounted gain of the first ten over the best possible
    MRR              1 / the rank of the first gold passage
    quote@10         fraction of gold quotes contained in the first ten       questions with quotes
    page@k           1 if a gold page is among the first k evidence pages
    Struct-EM        1 if every page and table of the question is retrieved   questions with structures (KGP)
    EM, F1           the answer compared with the correct ones as in SQuAD    answerable questions, with answers
    match            1 if the whole answer contains a correct answer          the same (golden match)
    choice           1 if the answer chooses the right option                 multiple-choice questions, instead
    ROUGE-L          the whole answer compared with the correct ones          the same, if a correct one is long
    accuracy         1 if a model grades the answer as correct                the same, if grading is requested
    answered         1 if it was answered                                     answerable questions
    abstained        1 if it was not answered                                 unanswerable questions (product)
    cited            1 if a citation quotes the sentence with the answer      answerable questions with quotes (product)
    cited if given   the same, over the questions that were answered

"Product" metrics are those of the product's answers, which cite and may abstain (`hopline.evaluation.experiment`). A
question that failed scores 0 in each metric that it has.
"""

from __future__ import annotations

from hopline.evaluation.answer_matching import (
    contains_quote,
    contains_structure,
    exact_match,
    golden_match,
    is_same_document,
    quotes_answer,
    token_f1,
)
from hopline.evaluation.multiple_choice import score_choice
from hopline.evaluation.questions import Question
from hopline.evaluation.ranking_metrics import (
    all_recalled,
    group_by_source,
    list_pages,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from hopline.evaluation.rouge import rouge_lsum
from hopline.results import Answer, Evidence, Retrieval

CUTOFFS = {"R": (2, 5, 10, 15, 30), "all": (5, 10), "P": (5, 10), "nDCG": (10,), "page": (5, 10)}
QUOTE_CUTOFF = 10
LONG_ANSWER_WORDS = 20  # from which a correct answer is too long for exact match


def retrieval_scores(question: Question, retrieval: Retrieval | None, *, k: int) -> dict[str, float]:
    """Scores of a retrieval of at most ``k`` evidence, for cutoffs up to ``k``; None: the question failed."""
    evidence = retrieval.evidence if retrieval else ()
    scores = _gold_scores(question, evidence, k) if question.gold else {}
    return scores | (_place_scores(question, evidence, k) if question.answerable else {})


def _gold_scores(question: Question, evidence: tuple[Evidence, ...], k: int) -> dict[str, float]:
    ranked = group_by_source(evidence)
    scores = {f"R@{cut}": recall(ranked, question.gold, cut) for cut in CUTOFFS["R"] if cut <= k}
    scores |= {f"all@{cut}": all_recalled(ranked, question.gold, cut) for cut in CUTOFFS["all"] if cut <= k}
    scores |= {f"P@{cut}": precision(ranked, question.gold, cut) for cut in CUTOFFS["P"] if cut <= k}
    scores |= {f"nDCG@{cut}": ndcg(ranked, question.gold, cut) for cut in CUTOFFS["nDCG"] if cut <= k}
    return scores | {"MRR": reciprocal_rank(ranked, question.gold)}


def _place_scores(question: Question, evidence: tuple[Evidence, ...], k: int) -> dict[str, float]:
    scores: dict[str, float] = {}
    if question.structures:
        scores["Struct-EM"] = float(all(contains_structure(item, evidence[:k]) for item in question.structures))
    quotes = [quote for quote in question.quotes if quote.text]
    if quotes and k >= QUOTE_CUTOFF:
        is_found = [contains_quote(quote, evidence[:QUOTE_CUTOFF]) for quote in quotes]
        scores[f"quote@{QUOTE_CUTOFF}"] = sum(is_found) / len(is_found)
    if any(quote.page for quote in question.quotes):
        for cut in (cut for cut in CUTOFFS["page"] if cut <= k):
            scores[f"page@{cut}"] = _hits_page(question, list_pages(evidence)[:cut])
    return scores


def _hits_page(question: Question, pages: list[tuple[str, int]]) -> float:
    gold = [quote for quote in question.quotes if quote.page]
    return float(
        any(page == item.page and is_same_document(name, item.document) for name, page in pages for item in gold)
    )


def answer_scores(question: Question, answer: Answer | None) -> dict[str, float]:
    """Scores of an answer of the product; None: the question failed, which is not an abstention."""
    if not question.answerable:
        return {"abstained": float(answer is not None and answer.abstained)}
    scores = short_answer_scores(question, answer)
    if any(quote.text for quote in question.quotes):
        is_given = answer is not None and not answer.abstained
        scores["cited"] = float(answer is not None and is_given and _has_correct_citation(answer, question))
        scores |= {"cited if given": scores["cited"]} if is_given else {}
    return scores


def short_answer_scores(question: Question, answer: Answer | None) -> dict[str, float]:
    """Scores of an answer by its texts alone; none for an unanswerable question."""
    if not question.answerable:
        return {}
    given_answer = answer if answer is not None and not answer.abstained else None
    scores = {"answered": float(given_answer is not None)}
    short, text = (select_answer_text(given_answer), given_answer.text) if given_answer else ("", "")
    if question.options and question.answers:
        scores["choice"] = score_choice(short, question.options, question.answers)
    elif question.answers:
        scores |= {"EM": exact_match(short, question.answers), "F1": token_f1(short, question.answers)}
        full_text = f"{given_answer.short} {text}" if given_answer else ""
        scores["match"] = golden_match(full_text, question.answers)
        if any(len(correct.split()) >= LONG_ANSWER_WORDS for correct in question.answers):
            scores["ROUGE-L"] = rouge_lsum(text, question.answers)
    return scores


def select_answer_text(answer: Answer) -> str:
    """Select the text by which an answer is scored: its short form if it has one."""
    return answer.short or answer.text


def _has_correct_citation(answer: Answer, question: Question) -> bool:
    return any(quotes_answer(citation, question) for sentence in answer.sentences for citation in sentence.citations)

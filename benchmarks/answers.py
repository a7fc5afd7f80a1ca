"""Accuracy of answers, abstention on unanswerable questions, and quality of citations.

    python benchmarks/answers.py QUESTIONS.jsonl [FOLDER …] [-c COLLECTION] [--home FOLDER] [-s STRATEGY] [-k 10]
                                 [--threshold T] [--show] [--json]

The folders hold the documents of the questions; documents that are not in the collection yet are added. Prints six
rates with their counts, and the latency of `hop.ask` in milliseconds:

    right        answerable questions with the gold answer or an alias of it in the sentences of the answer, their
                 quotes or the short answer; of a possible answer, in its sentences or the short answer
    precision    of all questions that are answered (status "answered"), those that are answered right
    near-misses  questions about an absent fact that are not answered (status "possible" or "not_found")
    found        gold quotes that the evidence contains, retrieved or looked up (same document; same words except for
                 spaces, hyphens and table bars, or, for a table, nine tenths of the words in one evidence of that page)
    cited        of the answered answerable questions, those that quote a text with the gold answer from a gold document
    short        of the right answers, those whose short answer contains the gold answer

and the area under the risk-coverage curve, in per cent (lower is better): the questions are answered in the order of
confidence, the surest first; the risk is the share of wrong answers among the answered, averaged over all coverages.
An answer to a question about an absent fact is wrong. It needs the best answer to every question: the threshold is 0.

Targets: right >= 55 %, precision >= 80 %, near-misses >= 70 %, found >= 85 %, cited >= 70 %. ``--show`` prints every
question.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hopline import Hopline
from hopline.answers.answerer import THRESHOLD
from hopline.reader.quotes import find_quote
from hopline.results import Answer, Evidence
from hopline.text.tokens import tokenize

TARGETS = {"right": 0.55, "precision": 0.80, "near-misses": 0.70, "found": 0.85, "cited": 0.70, "short": None}
MIN_COVERAGE = 0.9  # share of a gold quote's words, in one evidence of its page


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """Result of one question; ``quotes``: for each gold quote whether the evidence contains it."""

    id: str
    question: str
    answerable: bool
    abstained: bool
    right: bool
    cited: bool
    short: bool
    quotes: tuple[bool, ...]
    missing: tuple[str, ...]
    text: str
    ms: float
    confidence: float | None = None

    @property
    def correct(self) -> bool:
        """Whether an answerable question is answered right, or one about an absent fact is not answered."""
        return self.right if self.answerable else self.abstained


def evaluate_answer(row: dict[str, Any], answer: Answer, ms: float) -> AnswerResult:
    golds = [text for text in (row["answer"], *row.get("answer_aliases", ())) if text]
    sentences = answer.claims
    citations = [citation for sentence in sentences for citation in sentence.citations]
    texts = [answer.short, *(sentence.text for sentence in sentences), *(citation.quote for citation in citations)]
    cited = [citation.quote for citation in citations if citation.document in row["documents"]]
    return AnswerResult(
        row["id"],
        row["question"],
        row["answerable"],
        answer.abstained,
        contains_answer(golds, texts),
        contains_answer(golds, cited),
        contains_answer(golds, [answer.short]),
        tuple(is_in_evidence(quote, answer.evidence) for quote in row["evidence"]),
        answer.missing,
        answer.short or answer.text[:160],
        ms,
        answer.confidence,
    )


def contains_answer(golds: Sequence[str], texts: Iterable[str]) -> bool:
    """Whether a text contains one of the answers as whole words; spaces, commas and case are ignored."""
    normalized = [f" {normalize(text)} " for text in texts]
    return any(f" {normalize(gold)} " in text for gold in golds for text in normalized)


def normalize(text: str) -> str:
    return " ".join(token.text.casefold().replace(",", "") for token in tokenize(text))


def is_in_evidence(gold: dict[str, Any], evidence: Sequence[Evidence]) -> bool:
    same_document = [item for item in evidence if item.document == gold["document"]]
    if any(find_quote(gold["quote"], item.text) for item in same_document):
        return True
    words = set(normalize(gold["quote"]).split())
    same_page = [
        set(normalize(f"{item.caption} {item.text}").split()) for item in same_document if gold["page"] in item.pages
    ]
    return any(len(words & text) >= MIN_COVERAGE * len(words) for text in same_page)


def compute_rates(results: Sequence[AnswerResult]) -> dict[str, tuple[int, int]]:
    """Each rate as (hits, total)."""
    answerable = [result for result in results if result.answerable]
    absent = [result for result in results if not result.answerable]
    answered = [result for result in answerable if not result.abstained]
    right = [result for result in answerable if result.right]
    all_answered = [result for result in results if not result.abstained]
    quotes = [is_found for result in answerable for is_found in result.quotes]
    return {
        "right": (len(right), len(answerable)),
        "precision": (sum(result.right and result.answerable for result in all_answered), len(all_answered)),
        "near-misses": (sum(result.abstained for result in absent), len(absent)),
        "found": (sum(quotes), len(quotes)),
        "cited": (sum(result.cited for result in answered), len(answered)),
        "short": (sum(result.short for result in right), len(right)),
    }


def compute_risk(results: Sequence[AnswerResult]) -> float:
    """The area under the risk-coverage curve of answers given without a threshold, in [0, 1]."""
    ranked = sorted(results, key=lambda result: -(result.confidence if result.confidence is not None else 1.0))
    wrong, risks = 0, []
    for count, result in enumerate(ranked, 1):
        wrong += not (result.answerable and result.right)
        risks.append(wrong / count)
    return statistics.mean(risks) if risks else 0.0


def print_result(result: AnswerResult) -> None:
    verdict = "right" if result.correct else "wrong" if not result.abstained else "none "
    quotes = f"{sum(result.quotes)}/{len(result.quotes)}" if result.answerable else "   "
    missing = f"   missing: {', '.join(result.missing)}" if result.abstained else ""
    print(f"{verdict} {result.id:9} {quotes} {result.question}\n{'':20}{result.text}{missing}")


def measure(args: argparse.Namespace) -> list[AnswerResult]:
    rows = [json.loads(line) for line in args.questions.read_text(encoding="utf-8").split("\n") if line.strip()]
    results = []
    wanted = {name for row in rows for name in row["documents"]}
    files = [path for folder in args.folders for path in sorted(folder.glob("*.pdf")) if path.name in wanted]
    with Hopline.open(home=args.home, answer_threshold=args.threshold) as hop:
        if files:
            hop.add(files, collection=args.collection).wait(progress=True)
        hop.ask(rows[0]["question"], collection=args.collection, strategy=args.strategy, k=args.k)  # warm
        for row in rows:
            started = time.perf_counter()
            answer = hop.ask(row["question"], collection=args.collection, strategy=args.strategy, k=args.k)
            results.append(evaluate_answer(row, answer, 1000 * (time.perf_counter() - started)))
    return results


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("-c", "--collection", default="documents")
    parser.add_argument("-s", "--strategy")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--home")
    parser.add_argument("--threshold", type=float, default=THRESHOLD, help="confidence below which nothing is answered")
    parser.add_argument("--show", action="store_true", help="print every question")
    parser.add_argument("--json", action="store_true", help="print one object")
    args = parser.parse_args()
    results = measure(args)
    rates = compute_rates(results)
    if args.json:
        print(json.dumps({"rates": rates, "outcomes": [asdict(result) for result in results]}, indent=1))
        return
    if args.show:
        for result in sorted(results, key=lambda result: result.id):
            print_result(result)
    for name, (hits, all_) in rates.items():
        target = f"   target {TARGETS[name]:.0%}" if TARGETS[name] else ""
        print(f"{name:12} {hits / max(1, all_):6.1%}   {hits} of {all_}{target}")
    if args.threshold == 0:
        print(f"area under the risk-coverage curve: {100 * compute_risk(results):.1f}")
    times = sorted(result.ms for result in results)
    print(f"hop.ask      p50 {statistics.median(times):.0f} ms   p95 {times[int(0.95 * len(times))]:.0f} ms")


if __name__ == "__main__":
    main()

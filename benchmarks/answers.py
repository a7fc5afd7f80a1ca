"""How often answers are right, how often absent facts are left unanswered, and how good the citations are.

    python benchmarks/answers.py QUESTIONS.jsonl [FOLDER …] [-c COLLECTION] [--home FOLDER] [-s STRATEGY] [-k 10]
                                 [--show] [--json]

The folders hold the documents of the questions, which are added where they are not there yet. Prints
five rates with their counts, and the milliseconds of `hop.ask`:

    right        answerable questions that are answered, with the gold answer or an alias of it in the
                 sentences, their quotes or the short answer
    near-misses  questions about an absent fact that are left unanswered
    found        gold quotes that stand in the evidence, found or looked up (same document; same words but for spaces,
                 hyphens and table bars, or, of a table, nine tenths of the words in one evidence of that page)
    cited        of the answered answerable ones, those that quote a text with the gold answer from a gold document
    short        of the right ones, those whose short answer holds the gold answer

Goals: right >= 75 %, near-misses >= 75 %, found >= 85 %, cited >= 60 %. ``--show`` prints every question.
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
from hopline.answering.quotes import find_quote
from hopline.answering.tokens import tokenise
from hopline.types import Answer, Evidence

GOALS = {"right": 0.75, "near-misses": 0.75, "found": 0.85, "cited": 0.60, "short": None}
ENOUGH = 0.9  # of a gold quote's words, in one evidence of its page


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question; ``quotes`` says for each gold quote whether it is in the evidence."""

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


def outcome(row: dict[str, Any], answer: Answer, ms: float) -> Outcome:
    golds = [text for text in (row["answer"], *row.get("answer_aliases", ())) if text]
    citations = [citation for sentence in answer.sentences for citation in sentence.citations]
    said = [answer.short, *(sentence.text for sentence in answer.sentences), *(one.quote for one in citations)]
    cited = [one.quote for one in citations if one.document in row["documents"]]
    return Outcome(
        row["id"],
        row["question"],
        row["answerable"],
        answer.abstained,
        not answer.abstained and says(golds, said),
        not answer.abstained and says(golds, cited),
        says(golds, [answer.short]),
        tuple(stands(quote, answer.evidence) for quote in row["evidence"]),
        answer.missing,
        answer.short or answer.text[:160],
        ms,
    )


def says(golds: Sequence[str], texts: Iterable[str]) -> bool:
    """Whether a text holds one of the answers as whole words, spaces, commas and case aside."""
    plain = [f" {normal(text)} " for text in texts]
    return any(f" {normal(gold)} " in text for gold in golds for text in plain)


def normal(text: str) -> str:
    return " ".join(token.text.casefold().replace(",", "") for token in tokenise(text))


def stands(gold: dict[str, Any], evidence: Sequence[Evidence]) -> bool:
    here = [one for one in evidence if one.document == gold["document"]]
    if any(find_quote(gold["quote"], one.text) for one in here):
        return True
    words = set(normal(gold["quote"]).split())
    near = [set(normal(f"{one.caption} {one.text}").split()) for one in here if gold["page"] in one.pages]
    return any(len(words & text) >= ENOUGH * len(words) for text in near)


def rates(outcomes: Sequence[Outcome]) -> dict[str, tuple[int, int]]:
    """Each rate as (hits, of how many)."""
    answerable = [one for one in outcomes if one.answerable]
    absent = [one for one in outcomes if not one.answerable]
    answered = [one for one in answerable if not one.abstained]
    right = [one for one in answerable if one.right]
    quotes = [found for one in answerable for found in one.quotes]
    return {
        "right": (len(right), len(answerable)),
        "near-misses": (sum(one.abstained for one in absent), len(absent)),
        "found": (sum(quotes), len(quotes)),
        "cited": (sum(one.cited for one in answered), len(answered)),
        "short": (sum(one.short for one in right), len(right)),
    }


def show(one: Outcome) -> None:
    good = one.right if one.answerable else one.abstained
    verdict = "good " if good else "wrong" if not one.abstained else "none "
    found = f"{sum(one.quotes)}/{len(one.quotes)}" if one.answerable else "   "
    missing = f"   missing: {', '.join(one.missing)}" if one.abstained else ""
    print(f"{verdict} {one.id:9} {found} {one.question}\n{'':20}{one.text}{missing}")


def measure(given: argparse.Namespace) -> list[Outcome]:
    rows = [json.loads(line) for line in given.questions.read_text(encoding="utf-8").splitlines() if line.strip()]
    outcomes = []
    wanted = {name for row in rows for name in row["documents"]}
    files = [path for folder in given.folders for path in sorted(folder.glob("*.pdf")) if path.name in wanted]
    with Hopline.open(home=given.home) as hop:
        if files:
            hop.add(files, collection=given.collection).wait(progress=True)
        hop.ask(rows[0]["question"], collection=given.collection, strategy=given.strategy, k=given.k)  # warm
        for row in rows:
            begun = time.perf_counter()
            answer = hop.ask(row["question"], collection=given.collection, strategy=given.strategy, k=given.k)
            outcomes.append(outcome(row, answer, 1000 * (time.perf_counter() - begun)))
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("-c", "--collection", default="documents")
    parser.add_argument("-s", "--strategy")
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--home")
    parser.add_argument("--show", action="store_true", help="print every question")
    parser.add_argument("--json", action="store_true", help="print one object")
    given = parser.parse_args()
    outcomes = measure(given)
    found = rates(outcomes)
    if given.json:
        print(json.dumps({"rates": found, "outcomes": [asdict(one) for one in outcomes]}, indent=1))
        return
    if given.show:
        for one in sorted(outcomes, key=lambda one: one.id):
            show(one)
    for name, (hits, all_) in found.items():
        goal = f"   goal {GOALS[name]:.0%}" if GOALS[name] else ""
        print(f"{name:12} {hits / max(1, all_):6.1%}   {hits} of {all_}{goal}")
    times = sorted(one.ms for one in outcomes)
    print(f"hop.ask      p50 {statistics.median(times):.0f} ms   p95 {times[int(0.95 * len(times))]:.0f} ms")


if __name__ == "__main__":
    main()

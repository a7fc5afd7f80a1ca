"""Answers by kind of question: verdicts, comparisons, lists, counts, follow-ups, identifiers, empty cells, …

    python benchmarks/answer_kinds.py QUESTIONS.jsonl FOLDER … [--home FOLDER] [-c COLLECTION] [--kind KIND] [--show]
                                      [--results FILE.jsonl]

The folders hold the documents of the questions: ``questions/kinds/dev`` those of ``kinds/kinds-dev.jsonl``. A question
with ``before`` is asked after those. Prints for each kind:

    right      questions that are answered right, or, if documents contradict each other, with both values as possible
               ones; of a fact that the documents do not state, those not answered
    shown      the same, and those with a right possible answer
    wrong      questions whose answer is shown as sure (status "answered") and is wrong

An answer is right by its headline: the short answer, or its sentences if it has none. A verdict has to be the gold
one; a list has to name all items, in the headline or the sentences, and so has a contradiction its two values. "No
value" is right if the headline says so or is a dash. Numbers and words are compared as whole tokens.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from answers import contains_answer

from hopline import Hopline
from hopline.results import Answer

NO_VALUE = ("no value", "not stated", "not given", "not fixed", "not yet", "unknown", "none", "empty", "no entry")
DASHES = "-–—. "


@dataclass(frozen=True, slots=True)
class KindResult:
    """Result of one question: the status of its answer, its headline, and whether it is right."""

    id: str
    kind: str
    question: str
    status: str
    headline: str
    right: bool
    answerable: bool
    confidence: float | None
    expected: str
    gold: str

    @property
    def is_right(self) -> bool:
        """Whether it has the right answer with the expected status, or, without an answer in the documents, none."""
        if not self.answerable:
            return self.status != "answered"
        return self.right and self.status in {"answered", self.expected}

    @property
    def is_shown(self) -> bool:
        """Whether it is right, or its possible answer is."""
        return self.is_right or (self.answerable and self.status == "possible" and self.right)

    @property
    def is_sure_and_wrong(self) -> bool:
        """Whether a wrong answer is shown as sure."""
        return self.status == "answered" and not (self.answerable and self.right)


def evaluate_kind(row: dict[str, Any], answer: Answer) -> KindResult:
    """Compare an answer with the gold answer of its question."""
    sentences = [sentence.text for sentence in answer.claims]
    quotes = [citation.quote for sentence in answer.claims for citation in sentence.citations]
    headline = answer.short or " ".join(sentences)
    return KindResult(
        row["id"],
        row["kind"],
        row["question"],
        answer.status,
        headline,
        answer.status != "not_found" and is_right(row, headline, [*sentences, *quotes]),
        row["answerable"],
        answer.confidence,
        row["expected_status"],
        "; ".join(aliases[0] for aliases in row["all_of"]) or row["answer"],
    )


def is_right(row: dict[str, Any], headline: str, texts: Sequence[str]) -> bool:
    """Whether the headline gives the gold answer; the ``texts`` of the answer count for lists and contradictions."""
    if row["all_of"]:
        return all(contains_answer(aliases, [headline, *texts]) for aliases in row["all_of"])
    golds = [text for text in (row["answer"], *row["answer_aliases"]) if text]
    if row["answer"] in {"yes", "no"}:
        return re.match(rf"{row['answer']}\b", headline.strip(), re.IGNORECASE) is not None
    if row["answer"] == "no value":
        return not headline.strip(DASHES) or contains_answer(
            (*NO_VALUE, *(g for g in golds if g.strip(DASHES))), [headline]
        )
    return contains_answer(golds, [headline])


def measure(arguments: argparse.Namespace) -> list[KindResult]:
    """Add the documents that are not in the collection yet, and ask every question."""
    rows = [json.loads(line) for line in arguments.questions.read_text("utf-8").split("\n") if line.strip()]
    rows = [row for row in rows if arguments.kind in (None, row["kind"])]
    files = [path for folder in arguments.folders for path in sorted(folder.iterdir())]
    results = []
    with Hopline.open(home=arguments.home) as hop:
        if files:
            hop.add(files, collection=arguments.collection).wait()
        for row in rows:
            history: list[Answer] = []
            for question in (*row["before"], row["question"]):
                history.append(hop.ask(question, collection=arguments.collection, history=history))
            results.append(evaluate_kind(row, history[-1]))
    return results


def print_rates(results: Sequence[KindResult]) -> None:
    """Print a line for each kind, and one for all."""
    by_kind: dict[str, list[KindResult]] = defaultdict(list)
    for result in results:
        by_kind[result.kind].append(result)
    print(f"{'kind':14} {'questions':>9} {'right':>6} {'shown':>6} {'wrong':>6}")
    for kind, chosen in (*sorted(by_kind.items()), ("all", list(results))):
        right, shown, wrong = (
            sum(getattr(result, name) for result in chosen) for name in ("is_right", "is_shown", "is_sure_and_wrong")
        )
        print(f"{kind:14} {len(chosen):9} {right:6} {shown:6} {wrong:6}")


def main() -> None:
    """Measure, and print the rates, and with ``--show`` the answers that are shown as sure and wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("-c", "--collection", default="kinds")
    parser.add_argument("--home")
    parser.add_argument("--kind")
    parser.add_argument("--show", action="store_true", help="print every answer that is sure and wrong")
    parser.add_argument("--results", type=Path, help="write a JSON line for each question")
    arguments = parser.parse_args()
    results = measure(arguments)
    print_rates(results)
    if arguments.results:
        lines = [json.dumps({**asdict(result), "is_right": result.is_right}, ensure_ascii=False) for result in results]
        arguments.results.write_text("\n".join(lines) + "\n", "utf-8")
    for result in results if arguments.show else ():
        if result.is_sure_and_wrong:
            print(f"{result.kind:13} {result.id:8} {result.confidence or 0:.2f} {result.question}")
            print(f"{'':23}{result.headline[:150]}")


if __name__ == "__main__":
    main()

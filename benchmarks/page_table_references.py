"""Struct-EM of questions that name pages and tables, and whether the evidence is complete and contains nothing else.

    python benchmarks/page_table_references.py QUESTIONS.jsonl PDFS… [--home FOLDER] [-c documents] [-s STRATEGY …]

PDFS are files or folders, which are added first. Struct-EM is KGP's: evidence of every named page or table is present.
"whole": nine tenths of the words that pypdfium2 extracts from each named page are in the evidence, and every named
table is. "only": all evidence belongs to a named page or table.
"""

from __future__ import annotations

import argparse
import re
from functools import cache
from pathlib import Path

import pypdfium2

from hopline import Hopline
from hopline.evaluation import Question, Structure, read_questions
from hopline.evaluation.answer_matching import contains_structure, is_same_document
from hopline.results import Evidence

MIN_COVERAGE = 0.9  # share of the words of a named page


@cache
def extract_page_words(file: Path, page: int) -> frozenset[str]:
    document = pypdfium2.PdfDocument(file)
    try:
        return to_words(document[page - 1].get_textpage().get_text_range())
    finally:
        document.close()


def to_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", text.replace("\ufffe", "").casefold()))


def is_complete(structure: Structure, evidence: tuple[Evidence, ...], files: dict[str, Path]) -> bool:
    if structure.table:
        return contains_structure(structure, evidence)
    wanted = extract_page_words(files[structure.document], structure.page)
    present = to_words(
        " ".join(
            f"{item.caption} {' '.join(item.section)} {item.text}" for item in evidence if structure.page in item.pages
        )
    )
    return len(wanted & present) >= MIN_COVERAGE * len(wanted)


def is_referenced(evidence: Evidence, question: Question) -> bool:
    named = [s for s in question.structures if is_same_document(s.document, evidence.document)]
    return any(s.page in evidence.pages and (evidence.kind == "table" or not s.table) for s in named)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("pdfs", type=Path, nargs="+")
    parser.add_argument("--home")
    parser.add_argument("-c", "--collection", default="documents")
    parser.add_argument("-s", "--strategy", action="append")
    parser.add_argument("-k", type=int, default=30)
    args = parser.parse_args()
    questions = read_questions(args.questions)
    files = {
        file.name: file for path in args.pdfs for file in ([path] if path.is_file() else sorted(path.rglob("*.pdf")))
    }
    wanted = {structure.document for question in questions for structure in question.structures}
    with Hopline.open(home=args.home) as hop:
        hop.add([files[name] for name in sorted(wanted)], collection=args.collection).wait(progress=True)
        for strategy in args.strategy or ["hybrid", "kgp", "hopline"]:
            counts = dict.fromkeys(("Struct-EM", "whole", "only"), 0)
            for question in questions:
                evidence = hop.retrieve(question.text, collection=args.collection, strategy=strategy, k=args.k).evidence
                matched = all(contains_structure(structure, evidence) for structure in question.structures)
                complete = matched and all(is_complete(structure, evidence, files) for structure in question.structures)
                only = all(is_referenced(item, question) for item in evidence)
                for name, good in zip(counts, (matched, complete, only), strict=True):
                    counts[name] += good
                if strategy != "hybrid" and not (matched and complete and only):
                    print(
                        f"  {strategy} {question.id}: matched {matched}, whole {complete}, only {only}: {question.text}"
                    )
            figures = ", ".join(f"{name} {100 * count / len(questions):.1f}" for name, count in counts.items())
            print(f"{strategy}: {len(questions)} questions, {figures}")


if __name__ == "__main__":
    main()

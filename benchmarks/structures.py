"""Questions for pages and tables: are those that each names among the evidence, whole, and is nothing else?

    python benchmarks/structures.py QUESTIONS.jsonl PDFS… [--home FOLDER] [-c documents] [-s STRATEGY …]

PDFS are files or folders that are added first. Struct-EM is KGP's: something of every named structure is there.
"whole": of each named page nine tenths of the words that pypdfium2 reads there are in the evidence, and each named
table is. "only": all evidence belongs to what was named.
"""

from __future__ import annotations

import argparse
import re
from functools import cache
from pathlib import Path

import pypdfium2

from hopline import Hopline
from hopline.evaluation import Question, Structure, read_questions
from hopline.evaluation.answer_matching import same_document, structure_found
from hopline.types import Evidence

ENOUGH = 0.9


@cache
def words_on(file: Path, page: int) -> frozenset[str]:
    document = pypdfium2.PdfDocument(file)
    try:
        return words(document[page - 1].get_textpage().get_text_range())
    finally:
        document.close()


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", text.replace("\ufffe", "").casefold()))


def whole(structure: Structure, evidence: tuple[Evidence, ...], files: dict[str, Path]) -> bool:
    if structure.table:
        return structure_found(structure, evidence)
    wanted = words_on(files[structure.document], structure.page)
    there = words(
        " ".join(f"{one.caption} {' '.join(one.section)} {one.text}" for one in evidence if structure.page in one.pages)
    )
    return len(wanted & there) >= ENOUGH * len(wanted)


def belongs(one: Evidence, question: Question) -> bool:
    named = [s for s in question.structures if same_document(s.document, one.document)]
    return any(s.page in one.pages and (one.kind == "table" or not s.table) for s in named)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("pdfs", type=Path, nargs="+")
    parser.add_argument("--home")
    parser.add_argument("-c", "--collection", default="documents")
    parser.add_argument("-s", "--strategy", action="append")
    parser.add_argument("-k", type=int, default=30)
    given = parser.parse_args()
    questions = read_questions(given.questions)
    files = {
        file.name: file for path in given.pdfs for file in ([path] if path.is_file() else sorted(path.rglob("*.pdf")))
    }
    wanted = {structure.document for question in questions for structure in question.structures}
    with Hopline.open(home=given.home) as hop:
        hop.add([files[name] for name in sorted(wanted)], collection=given.collection).wait(progress=True)
        for strategy in given.strategy or ["hybrid", "kgp", "hopline"]:
            counts = dict.fromkeys(("Struct-EM", "whole", "only"), 0)
            for question in questions:
                found = hop.retrieve(question.text, collection=given.collection, strategy=strategy, k=given.k).evidence
                there = all(structure_found(one, found) for one in question.structures)
                complete = there and all(whole(one, found, files) for one in question.structures)
                only = all(belongs(one, question) for one in found)
                for name, good in zip(counts, (there, complete, only), strict=True):
                    counts[name] += good
                if strategy != "hybrid" and not (there and complete and only):
                    print(f"  {strategy} {question.id}: there {there}, whole {complete}, only {only}: {question.text}")
            figures = ", ".join(f"{name} {100 * count / len(questions):.1f}" for name, count in counts.items())
            print(f"{strategy}: {len(questions)} questions, {figures}")


if __name__ == "__main__":
    main()

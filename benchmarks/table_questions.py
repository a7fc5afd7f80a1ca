"""Answers to questions over one table each: TAT-QA (spans and calculations) and WikiTableQuestions (cells).

    python benchmarks/table_questions.py tatqa TATQA.json[.gz] [--limit N] [--show]
    python benchmarks/table_questions.py wtq QUESTIONS.tsv[.gz] --tables TABLES.zip [--limit N] [--show]

The right table (TAT-QA: with its paragraphs) is given; nothing is retrieved. Prints exact match in per cent: TAT-QA by
type of answer, numbers as they are rounded there, without scale and sign; WikiTableQuestions without case and
punctuation. Several gold answers have to be all items of the short answer, in any order. A question that is not
answered counts as wrong; ``answered`` is the share that is, and ``precision`` the share of these that is right.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.extractive import THRESHOLD, answer_from_evidence
from hopline.atomic_files import read_lines
from hopline.flow.requests import Fetch, Hits, Infer, Search
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.types import Answer, Evidence, Retrieval
from hopline_cypher.loader import load_statement

Case = tuple[str, str, list[str], list[Evidence]]  # question, kind, gold answers, evidence


def read_tatqa(path: Path) -> Iterator[Case]:
    for item in json.loads("".join(read_lines(path))):
        evidence = [make_table("table", item["table"]["table"])]
        evidence += [make_passage(part["uid"], part["text"]) for part in item["paragraphs"]]
        for row in item["questions"]:
            answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
            yield row["question"], row["answer_type"], [str(answer) for answer in answers], evidence


def read_wtq(path: Path, tables: Path) -> Iterator[Case]:
    with zipfile.ZipFile(tables) as archive:
        for line in list(read_lines(path))[1:]:
            _, question, context, target = line.rstrip("\n").split("\t")
            text = io.TextIOWrapper(archive.open(context), encoding="utf-8").read()
            rows = list(csv.reader(io.StringIO(text), escapechar="\\"))
            yield question, "all", target.split("|"), [make_table("table", rows)]


def make_table(id: str, rows: Sequence[Sequence[str]]) -> Evidence:
    lines = ["| " + " | ".join(" ".join(cell.replace("|", "/").split()) for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return Evidence(id, "table", 1.0, "\n".join(lines), "table")


def make_passage(id: str, text: str) -> Evidence:
    bounds = [0, *(match.end() for match in re.finditer(r"(?<=[.!?])\s+", text)), len(text)]
    return Evidence(id, "passage", 1.0, text, "text", sentences=tuple(pairwise(bounds)))


def answer(question: str, evidence: Sequence[Evidence], models: ModelRegistry, threshold: float) -> Answer:
    """Run the answering flow with the reader and an empty graph."""
    given = AnswerEvidence.of(Retrieval(question, "given", "tables", tuple(evidence)))
    flow = answer_from_evidence(question, given, threshold=threshold)
    try:
        request = next(flow)
        while True:
            if isinstance(request, Infer):
                request = flow.send(models.infer(request.part, request.inputs))
            elif isinstance(request, Search):
                request = flow.send(Hits((), ()))
            elif isinstance(request, Fetch):
                request = flow.send({column: [] for column in load_statement(request.name).returns})
    except StopIteration as stopped:
        result: Answer = stopped.value
        return result


def is_right(golds: Sequence[str], short: str) -> bool:
    if len(golds) > 1:
        items = [normalise_item(item) for item in re.split(r";|,(?!\d{3}\b)|\band\b", short) if item.strip()]
        return sorted(items) == sorted(normalise_item(gold) for gold in golds)
    number = parse_number(short)
    if len(golds) == 1 and number is not None and (gold := parse_number(golds[0])) is not None:
        return abs(abs(number) - abs(gold)) <= max(0.0101, 1e-4 * abs(gold))
    return normalise(" ".join(golds)) == normalise(short)


def normalise_item(item: str) -> str:
    number = parse_number(item)
    return normalise(item) if number is None else f"{abs(number):g}"


def parse_number(text: str) -> float | None:
    cleaned = re.sub(r"[,$€£%\s]|\b(?:million|thousand|billion)\b", "", text).replace("−", "-").strip("()")
    try:
        return float(cleaned)
    except ValueError:
        return None


def normalise(text: str) -> str:
    return " ".join(re.sub(r"\b(a|an|the)\b|[^\w.%]+", " ", text.lower()).split()).strip(".")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", choices=("tatqa", "wtq"))
    parser.add_argument("questions", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--weights", type=Path, default=BUNDLED)
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    cases: list[Any] = list(
        read_tatqa(args.questions) if args.data == "tatqa" else read_wtq(args.questions, args.tables)
    )
    if args.limit:
        cases = Random(0).sample(cases, min(args.limit, len(cases)))
    models = ModelRegistry(args.weights)
    counts: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for question, kind, golds, evidence in cases:
        found = answer(question, evidence, models, args.threshold)
        right = not found.abstained and is_right(golds, found.short)
        counts[kind].append((right, not found.abstained))
        if args.show:
            print(
                "right" if right else "wrong" if not found.abstained else "none ",
                kind,
                question,
                "|",
                golds,
                "|",
                found.short,
            )
    for kind, outcomes in [*sorted(counts.items()), ("together", [one for rows in counts.values() for one in rows])]:
        right, answered = sum(hit for hit, _ in outcomes), sum(said for _, said in outcomes)
        print(
            f"{kind:12} {len(outcomes):5} questions   EM {100 * right / len(outcomes):5.1f}   "
            f"answered {100 * answered / len(outcomes):5.1f}   precision {100 * right / max(1, answered):5.1f}"
        )


if __name__ == "__main__":
    main()

"""Answers to questions over one table each.

    python benchmarks/table_questions.py --set tatqa TATQA.json[.gz] [--skip N] [--limit N] [--output FILE]
    python benchmarks/table_questions.py --set wtq QUESTIONS.tsv[.gz] --tables TABLES.zip [--skip N] [--limit N]
    python benchmarks/table_questions.py --set cells ROWS.jsonl[.gz] [--skip N] [--limit N]

TAT-QA has spans and calculations, WikiTableQuestions cells and operations. ``cells``: a JSON object a line with a
``question``, a ``table`` (rows of cells), its ``title`` and ``answers``, and where they are known ``header_rows``,
``header_columns`` (columns with the labels of rows), ``operation``, by which the figures are given, and ``cells``, the
row and column of those with the answers.
The right table (TAT-QA: with its paragraphs) is given; nothing is retrieved. Questions are taken in the order of the
file. Prints, in per cent of the questions: exact match of what is answered (status "answered"), exact match with
possible answers included, the share that is answered, the share of the answered that is right, and the mean share of
the gold answers of a question that an answer contains. "Right cell": of the questions whose cells are known, those of
which every answer, possible ones included, cites one of these cells.

An exact match is what the data's own evaluation counts. TAT-QA: numbers are rounded to two digits, sign and scale have
to match ("same value" is the measure without scale and sign), several spans are a set. WikiTableQuestions: numbers
within 1e-6, else texts without accents, quotes, references and a remark in brackets at the end; several answers are a
set; so for ``cells``, where the result of an operation may be rounded (within 0.5 %), a share be in per cent, and a
number have its unit and scale behind it ("12 million dollars" for 12).
``--mismatch`` gives every question the evidence of the question in the middle of the rest: what is answered then is
wrong. ``--output`` writes a JSON line for each question.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from hopline.answers.answerer import THRESHOLD
from hopline.answers.pipeline import answer_question
from hopline.atomic_files import read_lines
from hopline.evaluation.table_values import match_computed, match_values, parse_plain_number
from hopline.flow.requests import Fetch, Flow, Hits, Infer, Search
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.results import Answer, Evidence, Retrieval
from hopline.tables.grid import render_table
from hopline.tables.structure import infer_structure
from hopline_cypher.loader import load_statement

SCALES = ("thousand", "million", "billion", "percent")
AMOUNT = re.compile(
    r"(?P<number>[-−(]?[$€£]?[-−(]?\d[\d.,]*\)?%?)(?:\s+[^\W\d].*)?"
)  # with its unit or scale behind it
KINDS = (
    ("difference", r"\bhow (?:many|much) (?:\w+ )?(?:more|less|fewer|longer)\b|\bdifference\b"),
    ("count", r"\bhow (?:many|often)\b|\bnumber of (?:times|different)\b"),
    ("superlative", r"\b(?:most|least|fewest|first|last|\w{3,}est)\b"),
    ("neighbour", r"\b(?:before|after|next|previous|prior|following|preced\w+|above|below)\b"),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its gold answers and the evidence that is given."""

    question: str
    kind: str
    golds: tuple[str, ...]
    scale: str
    evidence: tuple[Evidence, ...]
    cells: frozenset[tuple[int, int]] = frozenset()


def read_tatqa(path: Path) -> Iterator[Case]:
    for item in json.loads("".join(read_lines(path))):
        evidence = [make_table("table", item["table"]["table"])]
        evidence += [make_passage(part["uid"], part["text"]) for part in item["paragraphs"]]
        for row in item["questions"]:
            answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
            yield Case(
                row["question"], row["answer_type"], tuple(str(text) for text in answers), row["scale"], tuple(evidence)
            )


def read_wtq(path: Path, tables: Path) -> Iterator[Case]:
    with zipfile.ZipFile(tables) as archive:
        for line in list(read_lines(path))[1:]:
            _, question, context, target = line.rstrip("\n").split("\t")
            text = io.TextIOWrapper(archive.open(context), encoding="utf-8").read()
            rows = list(csv.reader(io.StringIO(text), escapechar="\\"))
            kind = next((name for name, pattern in KINDS if re.search(pattern, question.lower())), "other")
            yield Case(question, kind, tuple(target.split("|")), "", (make_table("table", rows),))


def read_cells(path: Path) -> Iterator[Case]:
    for line in read_lines(path):
        row = json.loads(line)
        table = make_table("table", row["table"], row["title"], row.get("header_rows"), row.get("header_columns"))
        cells = frozenset((line, column) for line, column in row.get("cells", ()))
        yield Case(row["question"], row.get("operation", "cells"), tuple(row["answers"]), "", (table,), cells)


def make_table(
    id: str,
    rows: Sequence[Sequence[str]],
    caption: str = "",
    header_rows: int | None = None,
    label_columns: int | None = None,
) -> Evidence:
    cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)
    structure = infer_structure(cells, caption, header_rows, label_columns=label_columns)
    text = render_table(cells)[0]
    return Evidence(id, "table", 1.0, text, "report", caption=caption, cells=cells, structure=structure)


def make_passage(id: str, text: str) -> Evidence:
    bounds = [0, *(match.end() for match in re.finditer(r"(?<=[.!?])\s+", text)), len(text)]
    return Evidence(id, "passage", 1.0, text, "report", sentences=tuple(pairwise(bounds)))


def answer(question: str, evidence: Sequence[Evidence], models: ModelRegistry, threshold: float) -> Answer:
    """Run the answering flow with the reader and an empty graph."""
    retrieval = Retrieval(question, "given", "tables", tuple(evidence))
    flow = answer_question(question, lambda _: repeat_retrieval(retrieval), threshold=threshold)
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


def repeat_retrieval(retrieval: Retrieval) -> Flow[Retrieval]:
    yield from ()
    return retrieval


def find_scale(short: str, sentence: str) -> str:
    """Find the scale of a short answer: in its own words, or as "in millions" in the sentence."""
    if "%" in short:
        return "percent"
    stated = re.search(rf"\b({'|'.join(SCALES)})s?\b", short) or re.search(
        rf"\bin ({'|'.join(SCALES)})s?\b", sentence, re.IGNORECASE
    )
    return stated[1].lower() if stated else ""


def match_tatqa(case: Case, short: str, scale: str) -> bool:
    if len(case.golds) > 1:
        return sorted(map(normalize_item, split_items(short))) == sorted(map(normalize_item, case.golds))
    number, gold = parse_number(short), parse_number(case.golds[0])
    if number is not None and gold is not None:
        return round(number, 2) == round(gold, 2) and scale == (case.scale or find_scale(case.golds[0], ""))
    return normalize(case.golds[0]) == normalize(short)


def match_value(case: Case, short: str) -> bool:
    """Whether a number is the gold one but for scale and sign; other answers as they are compared elsewhere."""
    number, gold = parse_number(short), parse_number(case.golds[0])
    if len(case.golds) == 1 and number is not None and gold is not None:
        return abs(abs(number) - abs(gold)) <= max(0.0101, 1e-4 * abs(gold))
    return match_tatqa(case, short, "")


def match_wtq(case: Case, short: str) -> bool:
    return match_values(case.golds, split_items(short) if len(case.golds) > 1 else [short])


def match_cells(case: Case, short: str) -> bool:
    if len(case.golds) == 1 and parse_plain_number(case.golds[0]) is not None and (match := AMOUNT.fullmatch(short)):
        short = match["number"]
    is_computed = case.kind not in {"", "none"} and len(case.golds) == 1
    return match_wtq(case, short) or (is_computed and match_computed(case.golds[0], short))


def find_golds(case: Case, text: str) -> float:
    """Share of the gold answers that a text contains."""
    words = f" {normalize(text)} "
    return sum(f" {normalize(gold)} " in words for gold in case.golds) / len(case.golds)


def split_items(short: str) -> list[str]:
    parts = short.split(";") if ";" in short else re.split(r",(?!\d{3}\b)|\band\b", short)
    return [part.strip() for part in parts if part.strip()]


def normalize_item(item: str) -> str:
    number = parse_number(item)
    return normalize(item) if number is None else f"{number:g}"


def parse_number(text: str) -> float | None:
    return parse_plain_number(re.sub(rf"\b(?:{'|'.join(SCALES)})\b", "", text).strip())


def normalize(text: str) -> str:
    return " ".join(re.sub(r"\b(a|an|the)\b|[^\w.%]+", " ", text.lower()).split()).strip(".")


def run_case(name: str, case: Case, models: ModelRegistry, threshold: float) -> dict[str, Any]:
    """Answer a question; returns what is printed and written for it."""
    reply = answer(case.question, case.evidence, models, threshold)
    sentence = " ".join(sentence.text for sentence in reply.claims)
    right = match_tatqa(case, reply.short, find_scale(reply.short, sentence)) if name == "tatqa" else None
    return {
        "question": case.question,
        "kind": case.kind,
        "golds": case.golds,
        "scale": case.scale,
        "short": reply.short,
        "sentence": sentence,
        "status": reply.status,
        "confidence": reply.confidence,
        "right": (match_cells if name == "cells" else match_wtq)(case, reply.short) if right is None else right,
        "found": find_golds(case, f"{reply.short} {sentence}"),
        "right_cell": cites_cells(reply, case),
        "same_value": match_value(case, reply.short) if name == "tatqa" else match_wtq(case, reply.short),
    }


def cites_cells(reply: Answer, case: Case) -> bool | None:
    """Whether an answer cites nothing but the cells of its question; None if these are not known."""
    if not case.cells:
        return None
    _, spans = render_table(case.evidence[0].cells)
    cited = [citation.answer for sentence in reply.claims for citation in sentence.citations if citation.answer]
    gold = [spans[row][column] for row, column in case.cells]
    return bool(cited) and all(any(a <= start and end <= b for a, b in gold) for start, end in cited)


def print_rates(rows: Sequence[dict[str, Any]], kind: str) -> None:
    answered = [row for row in rows if row["status"] == "answered"]
    right = sum(row["right"] for row in answered)
    located = [row["right_cell"] for row in rows if row["right_cell"] is not None]
    print(
        f"{kind:12} {len(rows):5} questions   EM {100 * right / len(rows):5.1f}"
        f"   with possible {100 * sum(row['right'] for row in rows) / len(rows):5.1f}"
        f"   same value {100 * sum(row['same_value'] for row in answered) / len(rows):5.1f}"
        f"   answered {100 * len(answered) / len(rows):5.1f}   precision {100 * right / max(1, len(answered)):5.1f}"
        f"   gold answers in the answered {100 * sum(row['found'] for row in answered) / max(1, len(answered)):5.1f}"
        + (f"   right cell {100 * sum(located) / len(located):5.1f} of {len(located)}" if located else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--set", choices=("tatqa", "wtq", "cells"), required=True)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--weights", type=Path, default=BUNDLED)
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--mismatch", action="store_true")
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    readers = {"tatqa": read_tatqa, "wtq": lambda path: read_wtq(path, args.tables), "cells": read_cells}
    cases = list(readers[args.set](args.questions))
    if args.mismatch:
        half = len(cases) // 2
        cases = [replace(case, evidence=cases[n - half].evidence) for n, case in enumerate(cases)]
    models = ModelRegistry(args.weights)
    chosen = cases[args.skip : args.skip + args.limit if args.limit else None]
    rows = [run_case(args.set, case, models, args.threshold) for case in chosen]
    if args.output:
        args.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    for kind in sorted({row["kind"] for row in rows}):
        print_rates([row for row in rows if row["kind"] == kind], kind)
    print_rates(rows, "together")


if __name__ == "__main__":
    main()

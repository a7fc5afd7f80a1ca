"""Compare answers of a language model with those of the reader alone, on the same questions and evidence.

    OPENAI_BASE_URL=… python benchmarks/model_answers.py QUESTIONS.jsonl -c COLLECTION --model NAME
                                 [--home FOLDER] [--sample 60] [--seed 42] [-k 10] [--output FILE.jsonl]

The documents are in the collection already (`benchmarks/answers.py` adds them). A question is correct if an answerable
one is answered right, or if a question about an absent fact is not answered (`benchmarks/answers.py`, "right" and
"near-misses"). Prints both rates, the mean of the paired differences with its 95 % bootstrap interval, how often the
answer of the model was used, and every question on which the two differ. ``--output`` stores one line a question, and
a run with the same file continues with the questions that are not in it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from answers import evaluate_answer

from hopline import Hopline
from hopline.evaluation.statistics import bootstrap_mean
from hopline.results import READER, Answer


def select_questions(path: Path, count: int, seed: int) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return Random(seed).sample(rows, min(count, len(rows)))


def describe_author(answer: Answer, model: str) -> str:
    """Who wrote the answer: the model, the reader because the model failed, or nobody."""
    if answer.model_error:
        return f"reader, as the model failed: {answer.model_error[:60]}"
    if answer.written_by == model:
        return {"answered": "model", "possible": "model, possible", "not_found": "model abstained"}[answer.status]
    return "reader" if answer.written_by == READER else answer.written_by


def ask_both(row: dict[str, Any], alone: Hopline, with_model: Hopline, args: argparse.Namespace) -> dict[str, Any]:
    results: dict[str, Any] = {"id": row["id"], "question": row["question"], "gold": row["answer"]}
    for name, hop in (("reader", alone), ("model", with_model)):
        started = time.perf_counter()
        answer = hop.ask(row["question"], collection=args.collection, k=args.k)
        result = evaluate_answer(row, answer, 1000 * (time.perf_counter() - started))
        results[name] = asdict(result) | {
            "correct": result.correct,
            "author": describe_author(answer, args.model),
            "sentences": answer.text,
        }
    return results


def print_summary(rows: list[dict[str, Any]]) -> None:
    for group, wanted in (("all", None), ("answerable", True), ("near-misses", False)):
        chosen = [row for row in rows if wanted is None or row["reader"]["answerable"] == wanted]
        if not chosen:
            continue
        reader = [float(row["reader"]["correct"]) for row in chosen]
        model = [float(row["model"]["correct"]) for row in chosen]
        difference = bootstrap_mean([b - a for a, b in zip(reader, model, strict=True)])
        print(
            f"{group:12} {len(chosen):3} questions   reader {100 * sum(reader) / len(reader):5.1f}   "
            f"model {100 * sum(model) / len(model):5.1f}   difference {100 * difference.mean:+5.1f} "
            f"[{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"
        )
    for author, count in Counter(row["model"]["author"] for row in rows).most_common():
        print(f"{count:4}  {author}")
    for row in rows:
        if row["reader"]["correct"] != row["model"]["correct"]:
            verdict = "lost" if row["reader"]["correct"] else "won"
            print(f"{verdict:4} {row['id']} {row['question']}\n     gold: {row['gold'] or '(absent)'}")
            print(f"     reader: {row['reader']['text']}")
            print(f"     model: {row['model']['text']} | {row['model']['sentences']}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--home")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    stored = args.output.read_text("utf-8") if args.output and args.output.exists() else ""
    done = [json.loads(line) for line in stored.split("\n") if line.strip()]
    known = {row["id"] for row in done}
    with Hopline.open(home=args.home, model="") as alone, Hopline.open(home=args.home, model=args.model) as with_model:
        for row in select_questions(args.questions, args.sample, args.seed):
            if row["id"] not in known:
                done.append(ask_both(row, alone, with_model, args))
                if args.output:
                    with args.output.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(done[-1], ensure_ascii=False) + "\n")
    print_summary(done)


if __name__ == "__main__":
    main()

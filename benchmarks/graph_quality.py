"""Verdicts of a reader on entities and triples that were drawn at random from the graph of a collection.

    python benchmarks/graph_quality.py [--errors]                      print the figures of the committed verdicts
    python benchmarks/graph_quality.py --draw entities|triples -c COLLECTION     draw them, as JSON lines
    python benchmarks/graph_quality.py --fit CARB                      fit the weights of the confidence of triples

Each document has the same share of a draw, as far as it has entities or triples. The verdict on an entity is whether
it deserves a node, and whether its type is right (null: it has none); that on a triple whether its sentence states it,
with the subject and the object that it means. ``annotations/entities.jsonl`` and ``annotations/triples.jsonl`` have the
verdicts, ``annotations/triples-dev.jsonl`` those on the triples that the rules and the weights were developed on, with
the features of `hopline_ingest.extraction.relations.confidence`. CARB is a clone of dair-iitd/CaRB, whose sentences
have all their triples annotated.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from hopline import Hopline
from hopline.ids import normalize_name
from hopline.records import MIN_CONFIDENCE
from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.relations import triples as triple_rules
from hopline_ingest.extraction.relations.confidence import Features

ANNOTATIONS: Final = Path(__file__).resolve().parent / "annotations"
SEED: Final = 20261130
QUERIES: Final = {
    "entities": """
        MATCH (c:Collection {name: $collection}) MATCH (e:Entity)<-[m:MENTIONS]-(p:Evidence {collection: c.id})
        MATCH (d:Document {id: p.document})
        WITH e, m, p, d ORDER BY e.id, p.id
        WITH e, count(p) AS passages, collect({document: d.title, text: p.text, spans: m.spans})[0] AS first
        RETURN first.document AS document, e.name AS name, e.kind AS kind, passages, first.text AS text,
          first.spans AS spans""",
    "triples": """
        MATCH (c:Collection {name: $collection}) MATCH (p:Evidence {collection: c.id})-[:STATES]->(t:Triple)
        MATCH (d:Document {id: p.document})
        RETURN d.title AS document, t.subject AS subject, t.predicate AS predicate, t.object AS object,
          t.confidence AS confidence, substring(p.text, t.start, t.end - t.start) AS sentence ORDER BY t.id""",
}
CARB_WEIGHT, OWN_WEIGHT, MIN_WEIGHT = 0.5, 3.0, 0.03
_CONTEXT: Final = 80  # characters around a name


def draw(kind: str, collection: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield ``count`` entities or triples of a collection, from each document in turn."""
    by_document: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with Hopline.open() as hop:
        for row in hop.graph.cypher(QUERIES[kind], {"collection": collection}, limit=1_000_000):
            by_document[row["document"]].append(row)
    for document in sorted(by_document):
        Random(f"{SEED} {document}").shuffle(by_document[document])
    drawn = 0
    while drawn < count and any(by_document.values()):
        for document in sorted(by_document):
            if by_document[document] and drawn < count:
                drawn += 1
                yield _prepare(kind, by_document[document].pop())


def _prepare(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "triples":
        return {**row, "sentence": " ".join(row["sentence"].split()), "true": None}
    first = (row["spans"] or [0])[0]
    context = " ".join(row["text"][max(0, first - _CONTEXT) : first + 2 * _CONTEXT].split())
    names = {name: row[name] for name in ("document", "name", "kind", "passages")}
    return {**names, "context": context, "deserves": None, "type": None}


def read_verdicts(name: str) -> list[dict[str, Any]]:
    """Read the rows of a file of annotations."""
    return [json.loads(line) for line in (ANNOTATIONS / name).read_text("utf-8").splitlines()]


def print_figures() -> None:
    """Print the shares of entities that deserve a node, of right types and of true triples, by kind of document."""
    entities, triples = read_verdicts("entities.jsonl"), read_verdicts("triples.jsonl")
    columns = ("", "entities", "deserve a node", "with a type", "type right", "triples", "true", "shown", "true")
    print(f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", sep="\n")
    for kind in ("all", *dict.fromkeys(row["document kind"] for row in entities)):
        nodes = [row for row in entities if kind in ("all", row["document kind"])]
        typed = [row["type"] for row in nodes if row["type"] is not None]
        stated = [row for row in triples if kind in ("all", row["document kind"])]
        shown = [row["true"] for row in stated if row["confidence"] >= MIN_CONFIDENCE]
        cells = (
            _count([row["deserves"] for row in nodes]),
            f"{len(typed)} | {_share(typed)}",
            _count([row["true"] for row in stated]),
            _count(shown),
        )
        print(f"| {kind} | {' | '.join(cells)} |")


def _count(verdicts: Sequence[bool]) -> str:
    return f"{len(verdicts)} | {_share(verdicts)}"


def _share(verdicts: Sequence[bool]) -> str:
    return f"{100 * sum(verdicts) / len(verdicts):.0f} %" if verdicts else "–"


def print_errors() -> None:
    """Print the entities and triples whose verdict is negative."""
    for row in read_verdicts("entities.jsonl"):
        if not row["deserves"] or row["type"] is False:
            print("no node" if not row["deserves"] else "type", row["kind"], row["name"], row["context"], sep=" | ")
    for row in read_verdicts("triples.jsonl"):
        if not row["true"]:
            print(row["confidence"], row["subject"], row["predicate"], row["object"], row["sentence"], sep=" | ")


def read_carb(folder: Path) -> Iterator[tuple[Features, bool]]:
    """Yield the features of the triples that the rules read in the sentences of CaRB, and whether one is annotated."""
    annotated: dict[str, list[tuple[set[str], set[str], set[str]]]] = defaultdict(list)
    for name in ("dev", "test"):
        for line in (folder / "data" / "gold" / f"{name}.tsv").read_text("utf-8").splitlines():
            sentence, relation, subject, *objects = line.split("\t")
            annotated[sentence].append((_words(relation), _words(subject), _words(" ".join(objects))))
    sentences = list(annotated)
    inputs = [ExtractionInput(str(index), "passage", sentence) for index, sentence in enumerate(sentences)]
    with record_features() as features:
        for extraction in extract_batch(inputs):
            triples = annotated[sentences[int(extraction.id)]]
            for triple in extraction.triples:
                key = (triple.subject, triple.predicate, triple.object)
                yield features[key], any(_agrees(key, other) for other in triples)


def _words(text: str) -> set[str]:
    return set(normalize_name(text).split())


def _agrees(triple: tuple[str, str, str], annotated: tuple[set[str], set[str], set[str]]) -> bool:
    """Whether most words of a triple are in the annotated one, or its ends are exchanged there."""
    subject, predicate, object_ = map(_words, triple)
    relation, first, second = annotated

    def covers(words: set[str], by: set[str], share: float) -> bool:
        return len(words & by) >= share * max(len(words), 1)

    straight = covers(subject, first, 0.6) and covers(object_, relation | second, 0.6)
    straight = straight and covers(predicate, relation | second, 0.5)
    return straight or (covers(subject, second, 0.6) and covers(object_, first, 0.6))


@contextmanager
def record_features() -> Iterator[dict[tuple[str, str, str], Features]]:
    """Record the features of every triple that is extracted, by subject, predicate and object."""
    recorded: dict[tuple[str, str, str], Features] = {}
    describe = triple_rules.describe_candidate

    def describe_and_record(ends: Any, candidate: Any, sentence: tuple[int, int]) -> Features:
        features = describe(ends, candidate, sentence)
        recorded[candidate.subject, candidate.predicate, candidate.object] = features
        return features

    triple_rules.describe_candidate = describe_and_record
    try:
        yield recorded
    finally:
        triple_rules.describe_candidate = describe


def fit_weights(carb: Path) -> dict[str, float]:
    """Fit the weights on CaRB and on ``triples-dev.jsonl``, whose triples have six times its weight."""
    from sklearn.linear_model import LogisticRegression

    rows = [(features, true, CARB_WEIGHT, 0.0) for features, true in read_carb(carb)]
    rows += [(row["features"], row["true"], OWN_WEIGHT, 1.0) for row in read_verdicts("triples-dev.jsonl")]
    names = sorted({name for features, *_ in rows for name in features} - {"bias"})
    model = LogisticRegression(C=0.1, max_iter=3000)
    model.fit(
        [[*(features.get(name, 0.0) for name in names), own] for features, _, _, own in rows],
        [true for _, true, _, _ in rows],
        sample_weight=[weight for *_, weight, _ in rows],
    )
    *weights, own = (float(weight) for weight in model.coef_[0])
    fitted = {name: round(weight, 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= MIN_WEIGHT}
    return {"bias": round(float(model.intercept_[0]) + own, 2), **fitted}


def main() -> None:
    """Draw, fit or print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", choices=sorted(QUERIES))
    parser.add_argument("-c", "--collection", default="default")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--fit", type=Path, metavar="CARB")
    arguments = parser.parse_args()
    if arguments.draw:
        for row in draw(arguments.draw, arguments.collection, arguments.count):
            print(json.dumps(row, ensure_ascii=False))
    elif arguments.fit:
        print(json.dumps(fit_weights(arguments.fit), indent=1))
    else:
        print_figures()
        if arguments.errors:
            print_errors()


if __name__ == "__main__":
    main()

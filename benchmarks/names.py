"""Names that spaCy's recogniser and Hopline's extraction find, compared with names annotated by hand.

    python benchmarks/names.py [--half dev|test] [--by spacy|extraction] [--errors]

Each of the 200 sentences of ``annotations/names.jsonl`` is read alone. Names are compared without articles and
punctuation around them: exactly, and with an overlap of at least half (intersection by union of the characters). An
optional name counts neither if it is found nor if it is missed, and neither does what is found inside it. Three finders
are measured: ``spacy`` is the recogniser of the English model as it is, ``extraction`` the mentions that Hopline
extracts, and ``extraction, named`` those of them that are no common nouns, numbers or dates, which become entities.
``--errors`` prints what is wrong and what is missed. "Entities" is their number a sentence.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hopline.entities.types import ENTITY_TYPES
from hopline.records import UNNAMED_KINDS
from hopline.text.parser import load_parser
from hopline_ingest.extraction import Extraction, ExtractionInput, extract_batch
from hopline_ingest.writing.entity_rows import EvidenceLocation, build_entity_rows

ANNOTATIONS = Path(__file__).resolve().parent / "annotations" / "names.jsonl"
OVERLAP: Final = 0.5
_ARTICLE: Final = re.compile(r"(the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence: its span without articles and punctuation around it, and its type, "" if unknown."""

    start: int
    end: int
    type: str
    optional: bool = False

    def overlap(self, other: Name) -> float:
        """Return the intersection by the union of the characters."""
        common = min(self.end, other.end) - max(self.start, other.start)
        return max(common, 0) / (max(self.end, other.end) - min(self.start, other.start))

    def contains(self, other: Name) -> bool:
        """Return whether ``other`` is inside."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """An annotated sentence."""

    id: str
    kind: str
    half: str
    text: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a finder finds in a sentence, and how many entities it makes of it."""

    names: tuple[Name, ...]
    entities: int


@dataclass(slots=True)
class NameScore:
    """Counts over sentences; ``counted`` and ``matches`` by measure, ``types`` of the exact matches."""

    annotated: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    matches: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    entities: int = 0
    sentences: int = 0

    def rates(self, measure: str) -> tuple[float, float, float]:
        """Return precision, recall and F1 in per cent."""
        matches, counted = self.matches[measure], self.counted[measure]
        precision, recall = matches / max(counted, 1), matches / max(self.annotated, 1)
        return 100 * precision, 100 * recall, 200 * matches / max(counted + self.annotated, 1)


def trim(text: str, start: int, end: int, type: str, *, optional: bool = False) -> Name | None:
    """Return the name in a span without articles and punctuation around it; None if nothing is left."""
    previous = None
    while previous != (start, end):
        previous = start, end
        while start < end and not text[start].isalnum():
            start += 1
        while start < end and not text[end - 1].isalnum():
            end -= 1
        article = _ARTICLE.match(text, start, end)
        start = article.end() if article else start
    return Name(start, end, type, optional) if start < end else None


def trim_all(text: str, spans: Iterable[tuple[int, int, str]]) -> tuple[Name, ...]:
    """Return the names in spans, each span once; a known type is preferred."""
    names: dict[tuple[int, int], Name] = {}
    for start, end, type in spans:
        name = trim(text, start, end, type)
        if name and not (names.get((name.start, name.end)) or Name(0, 0, "")).type:
            names[name.start, name.end] = name
    return tuple(names[span] for span in sorted(names))


def load_sentences(half: str) -> list[AnnotatedSentence]:
    """Load the sentences of a half, or all of them for ""."""
    rows = [json.loads(line) for line in ANNOTATIONS.read_text(encoding="utf-8").splitlines()]
    return [
        AnnotatedSentence(row["id"], row["kind"], row["half"], row["text"], tuple(_read_names(row)))
        for row in rows
        if half in ("", row["half"])
    ]


def _read_names(row: dict[str, Any]) -> Iterator[Name]:
    for name in row["names"]:
        trimmed = trim(row["text"], name["start"], name["end"], name["type"], optional=name.get("optional", False))
        if trimmed:
            yield trimmed


def find_by_spacy(sentences: Sequence[AnnotatedSentence]) -> list[Result]:
    """Find names with the recogniser of the English model; what it calls a group, number or date is ignored."""
    recogniser = load_parser(exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"])
    results = []
    for sentence, doc in zip(sentences, recogniser.pipe(sentence.text for sentence in sentences), strict=True):
        spans = [
            (ent.start_char, ent.end_char, ENTITY_TYPES[ent.label_]) for ent in doc.ents if ent.label_ in ENTITY_TYPES
        ]
        results.append(Result(trim_all(sentence.text, spans), len({sentence.text[a:b].lower() for a, b, _ in spans})))
    return results


def find_by_extraction(sentences: Sequence[AnnotatedSentence]) -> list[Result]:
    """Find the mentions that Hopline extracts of each sentence as a passage; the entities are the nodes written."""
    return [_read_extraction(*pair, named=False) for pair in _extract(sentences)]


def find_named_by_extraction(sentences: Sequence[AnnotatedSentence]) -> list[Result]:
    """Find the mentions that Hopline extracts without common nouns, numbers and dates."""
    return [_read_extraction(*pair, named=True) for pair in _extract(sentences)]


def _extract(sentences: Sequence[AnnotatedSentence]) -> Iterator[tuple[AnnotatedSentence, Extraction]]:
    inputs = [ExtractionInput(sentence.id, "passage", sentence.text) for sentence in sentences]
    return zip(sentences, extract_batch(inputs), strict=True)


def _read_extraction(sentence: AnnotatedSentence, extraction: Extraction, *, named: bool) -> Result:
    mentions = [mention for mention in extraction.mentions if not named or mention.kind not in UNNAMED_KINDS]
    spans = [(*span, ENTITY_TYPES.get(mention.kind, "")) for mention in mentions for span in mention.spans]
    rows = build_entity_rows([extraction], {sentence.id: EvidenceLocation("collection", sentence.id)}, {})
    entities = [row for row in rows.entities if row["named"] or not named]
    return Result(trim_all(sentence.text, spans), len(entities))


FINDERS: Final[dict[str, Callable[[Sequence[AnnotatedSentence]], list[Result]]]] = {
    "spacy": find_by_spacy,
    "extraction": find_by_extraction,
    "extraction, named": find_named_by_extraction,
}


def match_names(annotated: Sequence[Name], names: Sequence[Name], *, least: float) -> dict[Name, Name]:
    """Match each annotated name that is not optional with at most one name, those that overlap most first."""
    pairs = [(known.overlap(name), known, name) for known in annotated for name in names if not known.optional]
    matches: dict[Name, Name] = {}
    for overlap, known, name in sorted(pairs, key=lambda pair: -pair[0]):
        if overlap >= least and known not in matches and name not in matches.values():
            matches[known] = name
    return matches


def is_ignored(name: Name, annotated: Sequence[Name]) -> bool:
    """Return whether a name is inside an optional one or overlaps with it by half."""
    return any(known.optional and (known.contains(name) or known.overlap(name) >= OVERLAP) for known in annotated)


def add_sentence(score: NameScore, sentence: AnnotatedSentence, result: Result) -> list[str]:
    """Add the counts of a sentence; return what is wrong and what is missed, by overlap."""
    required = [name for name in sentence.names if not name.optional]
    score.sentences += 1
    score.entities += result.entities
    score.annotated += len(required)
    errors = []
    for measure, least in (("exact", 1.0), ("overlap", OVERLAP)):
        matches = match_names(sentence.names, result.names, least=least)
        rest = [name for name in result.names if name not in matches.values()]
        wrong = [name for name in rest if not is_ignored(name, sentence.names)]
        score.matches[measure] += len(matches)
        score.counted[measure] += len(matches) + len(wrong)
        if measure == "exact":
            score.types.update(_compare_types(*match) for match in matches.items())
        else:
            errors = [f"wrong  {sentence.id} {sentence.text[name.start : name.end]!r} {name.type}" for name in wrong]
            missed = [name for name in required if name not in matches]
            errors += [f"missed {sentence.id} {sentence.text[name.start : name.end]!r} {name.type}" for name in missed]
    return errors


def _compare_types(known: Name, name: Name) -> str:
    if not name.type:
        return "unknown"
    return "right" if name.type == known.type else "wrong"


def describe(score: NameScore) -> str:
    """Return the figures as the cells of a table."""
    rates = [" / ".join(f"{rate:.1f}" for rate in score.rates(measure)) for measure in ("exact", "overlap")]
    types = " / ".join(str(score.types[verdict]) for verdict in ("right", "wrong", "unknown"))
    return " | ".join([str(score.annotated), *rates, types, f"{score.entities / max(score.sentences, 1):.2f}"])


def measure_finder(finder: str, sentences: Sequence[AnnotatedSentence], *, show_errors: bool) -> None:
    """Print the figures of a finder: of all sentences and by kind of document."""
    scores: dict[str, NameScore] = {"all": NameScore()}
    for sentence, result in zip(sentences, FINDERS[finder](sentences), strict=True):
        errors = add_sentence(scores["all"], sentence, result)
        add_sentence(scores.setdefault(sentence.kind, NameScore()), sentence, result)
        if show_errors and errors:
            print(*errors, sep="\n")
    for kind, score in scores.items():
        print(f"| {finder} | {kind} | {describe(score)} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=("dev", "test"), default="")
    parser.add_argument("--by", choices=("spacy", "extraction"))
    parser.add_argument("--errors", action="store_true")
    args = parser.parse_args()
    sentences = load_sentences(args.half)
    print(
        "| by | documents | names | exact P / R / F1 | overlap P / R / F1 | type right / wrong / unknown | entities |"
    )
    print("|---|---|---|---|---|---|---|")
    for finder in FINDERS:
        if finder.startswith(args.by or ""):
            measure_finder(finder, sentences, show_errors=args.errors)


if __name__ == "__main__":
    main()

"""The probability that a sentence states a triple that the rules read from it, by a logistic model.

The weights were fitted on triples that were judged by hand and on those of CaRB (Bhardwaj et al. 2019), whose sentences
have all their triples annotated (``benchmarks/graph_quality.py --fit``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hopline_ingest.extraction.mentions.names import NOUNS, PROPER

if TYPE_CHECKING:
    from hopline_ingest.extraction.relations.triples import TripleCandidate, TripleEnds

WEIGHTS: Final[Mapping[str, float]] = {
    "bias": 0.25, "attached": 0.19, "backward": 0.27, "cites": 0.04, "cites by verb": -0.06, "clause": 0.15,
    "clause above": 0.1, "conditional": -0.27, "copula": -0.12, "digits": 0.12, "distance": -0.26,
    "has clause": -0.44, "long object": 0.24, "long predicate": -0.55, "long sentence": -0.34, "long subject": -0.93,
    "modal": -0.07, "negated": -0.2, "no end": -0.33, "no letters": -0.1, "no start": -0.13, "no verb": -0.3,
    "noun phrase": 0.16, "object distance": -0.09, "object has digits": 0.08, "object has symbols": -0.19,
    "object is clause": 0.24, "object is no noun": 0.05, "object is pronoun": -0.47, "object is proper": -0.13,
    "own subject": 0.26, "preposition": 0.05, "proper": 0.11, "role": -0.3, "root is verb": -0.05, "separated": -0.27,
    "short object": -0.16, "short subject": -0.44, "subject before verb": 0.29, "subject has digits": 0.08,
    "subject has symbols": -0.28, "subject is clause": -0.08, "subject is name": -0.22, "subject is no noun": -1.06,
    "subject is pronoun": 0.09, "subject is proper": 0.6, "to": 0.14, "verb ROOT": 0.39, "verb VB": -0.04,
    "verb VBD": 0.3, "verb VBG": -0.21, "verb VBN": 0.07, "verb VBP": -0.05, "verb VBZ": 0.09, "verb acl": -0.23,
    "verb advcl": 0.22, "verb ccomp": -0.12, "verb distance": 0.2, "verb other": 0.15, "verb parataxis": -0.11,
    "verb relcl": -0.27, "verb xcomp": 0.13,
}  # fmt: skip

_SEPARATORS: Final = frozenset(',;:()—–“”"')
_CITING: Final = frozenset({"see", "available", "quoted", "cited", "visited", "eds", "ed", "ibid", "note", "id"})
_COPULAS: Final = frozenset({"is", "was", "are", "were", "be"})
_MODALS: Final = frozenset({"would", "could", "should", "might", "may", "can", "must", "will", "shall"})
_VERB_DEPS: Final = frozenset({"ROOT", "conj", "relcl", "acl", "advcl", "ccomp", "xcomp", "parataxis"})

Features = dict[str, float]


def estimate_confidence(features: Features) -> float:
    """Return the probability, in (0, 1), that the triple with these features is true."""
    score = sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())
    return round(1 / (1 + math.exp(-score)), 3)


def describe_candidate(ends: TripleEnds, candidate: TripleCandidate, sentence: tuple[int, int]) -> Features:
    """Return the features of a triple from the tokens [start, end) of its sentence."""
    features = {"bias": 1.0, candidate.rule: 1.0}
    features |= _describe_sentence(ends, sentence)
    features |= _describe_end(ends, "subject", candidate.subject, candidate.first)
    features |= _describe_end(ends, "object", candidate.object, candidate.second)
    features |= _describe_predicate(candidate.predicate)
    if candidate.verb >= 0:
        features |= _describe_verb(ends, candidate)
    if candidate.second >= 0:
        between = range(*sorted((candidate.first, candidate.second)))
        features["distance"] = math.log1p(len(between))
        words = ends.parse.words
        features["separated"] = sum(words[token] in _SEPARATORS for token in between) / 2
        features["backward"] = float(candidate.second < candidate.first)
    return features


def _describe_sentence(ends: TripleEnds, sentence: tuple[int, int]) -> Features:
    parse = ends.parse
    words, tags = parse.words[slice(*sentence)], parse.tags[slice(*sentence)]
    letters = [word for word in words if word[:1].isalpha()]
    length = max(len(words), 1)
    root = next((token for token in range(*sentence) if parse.heads[token] == token), -1)
    return {
        "long sentence": max(0.0, math.log(length / 25)),
        "no letters": 1 - len(letters) / length,
        "digits": sum(any(c.isdigit() for c in word) for word in words) / length,
        "proper": sum(tag in PROPER for tag in tags) / length,
        "no verb": float(not any(tag[:2] == "VB" or tag == "MD" for tag in tags)),
        "root is verb": float(root >= 0 and tags[root - sentence[0]][:2] == "VB"),
        "no end": float(not words or words[-1] not in {".", "!", "?", ":", '"', "”", ")"}),
        "no start": float(not words or not (words[0][:1].isupper() or words[0] in {'"', "“", "("})),
        "cites": float(any(word.lower() in _CITING for word in words)),
        "question": float("?" in words),
        "conditional": float(any(word.lower() in {"if", "whether", "unless"} for word in words)),
    }


def _describe_end(ends: TripleEnds, role: str, name: str, token: int) -> Features:
    words = name.split()
    features = {f"long {role}": max(0.0, math.log(max(len(words), 1) / 3))}
    features[f"{role} has digits"] = float(any(c.isdigit() for c in name))
    features[f"{role} has symbols"] = float(any(not (c.isalnum() or c in " .,'’-&") for c in name))
    features[f"short {role}"] = float(sum(c.isalpha() for c in name) < 3)
    features[f"{role} is proper"] = float(bool(words) and all(word[:1].isupper() for word in words if len(word) > 3))
    if token < 0:
        return features
    parse = ends.parse
    features[f"{role} is pronoun"] = float(token in ends.references)
    features[f"{role} is name"] = float(token in ends.names and token not in ends.references)
    features[f"{role} is number"] = float(ends.is_number(token))
    features[f"{role} is no noun"] = float(parse.tags[token] not in NOUNS)
    features[f"{role} is clause"] = float(any(parse.deps[child] in {"relcl", "acl"} for child in parse.children[token]))
    return features


def _describe_predicate(predicate: str) -> Features:
    words = predicate.split()
    return {
        "copula": float(words[0] in _COPULAS and len(words) == 1),
        "has": float(predicate == "has"),
        "long predicate": max(0.0, math.log(len(words) / 2)),
        "preposition": float(len(words) > 1),
        "modal": float(words[0] in _MODALS),
        "negated": float(bool({"not", "never", "n't", "no"} & set(words))),
        "cites by verb": float(bool(_CITING & set(words))),
        "to": float("to" in words[1:-1]),
    }


def _describe_verb(ends: TripleEnds, candidate: TripleCandidate) -> Features:
    parse, verb = ends.parse, candidate.verb
    dep, subject = parse.deps[verb], candidate.first
    own = parse.heads[subject] == verb
    return {
        f"verb {dep}" if dep in _VERB_DEPS else "verb other": 1.0,
        "own subject": float(own),
        "subject before verb": float(subject < verb < candidate.second),
        "verb distance": math.log1p(abs(verb - subject)),
        "object distance": math.log1p(abs(candidate.second - verb)),
        "attached": float(candidate.via >= 0),
        "clause above": float(dep in {"ccomp", "advcl"}),
        "has clause": float(any(parse.deps[child] in {"ccomp", "xcomp"} for child in parse.children[verb])),
        f"verb {parse.tags[verb]}": 1.0,
    }

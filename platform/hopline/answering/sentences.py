"""The sentences of a passage with what stands around them."""

from __future__ import annotations

from hopline.answering.text import joined, read_text
from hopline.answering.unit import Around, Layer, Unit, heading, named
from hopline.types import Evidence


def sentence_units(evidence: Evidence, rank: int, around: Around) -> list[Unit]:
    """The sentences of a passage; the whole text where their spans are unknown."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    texts = [read_text(evidence.text[start:end]) for start, end in spans]
    outer = (
        Layer("heading", read_text(heading(evidence)), 0.95, 0.8),
        Layer("passage", joined(texts), 0.7, 0.5),
        Layer("beside", joined([read_text(around.before), read_text(around.after)]), 0.5, 0.3),
        Layer("front", read_text(around.front), 0.9, 0.5),
    )
    units = []
    for place, (start, end) in enumerate(spans):
        mentions = tuple(one for one in around.mentions if start <= one.start and one.end <= end)
        layers = [Layer("own", texts[place], 1.0, 1.0), Layer("names", named(mentions), 0.95, 0.9)]
        if place:
            layers.append(Layer("before", texts[place - 1], 0.9, 0.8))
        if place + 1 < len(spans):
            layers.append(Layer("after", texts[place + 1], 0.8, 0.7))
        units.append(Unit(evidence, rank, start, end, (*layers, *outer), mentions))
    return units

"""Reading without a model: batches of passages and tables in, what they mention, state and are about out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hopline_ingest.extraction.aliases import alias_pairs, are_one, without_suffix
from hopline_ingest.extraction.coreference import antecedents, topic_of
from hopline_ingest.extraction.given import read_given, spans_of
from hopline_ingest.extraction.mentions.capitalized_names import located
from hopline_ingest.extraction.mentions.finder import covering, found, merged
from hopline_ingest.extraction.mentions.names import Found, key
from hopline_ingest.extraction.parsed_text import Parse, parsed, tokens_of
from hopline_ingest.extraction.records import About, Extraction, Readable
from hopline_ingest.extraction.relations.tables import rows, table_places, table_triples
from hopline_ingest.extraction.relations.triples import Ends, triples
from hopline_ingest.extraction.spacy_pipeline import BATCH, one_thread, pipeline
from hopline_ingest.extraction.subjects.about import about, main_name
from hopline_ingest.extraction.subjects.first_sentence import mended, opening_of
from hopline_ingest.extraction.subjects.ranking import opening_name, opening_subject, topics

if TYPE_CHECKING:
    from spacy.tokens import Doc

EXTRACTOR = "spacy-2"  # to be raised when the rules change: the graph is then read again
MOST_CHARACTERS = 100_000
_LOOKED_AT = 2000  # characters, to tell the script
_AFTER_LATIN = "\u0370"


def read_batch(readables: list[Readable]) -> list[Extraction]:
    """One extraction for each readable, in order; a text that cannot be read costs only itself.

    Runs in a worker process: the language model is loaded at the first call, once a process.
    """
    passages = [place for place, one in enumerate(readables) if _is_parsed(one)]
    read = dict(zip(passages, _read_passages([readables[place] for place in passages]), strict=True))
    return [read[place] if place in read else _kept_going(_read_other, one) for place, one in enumerate(readables)]


def _read_passages(passages: Sequence[Readable]) -> list[Extraction]:
    if not passages:
        return []
    with one_thread():
        docs = pipeline().pipe((tokens_of(one, MOST_CHARACTERS) for one in passages), batch_size=BATCH)
        return [_kept_going(partial(_read_parsed, doc), one) for one, doc in zip(passages, docs, strict=True)]


def _read_parsed(doc: Doc, one: Readable) -> Extraction:
    return read_passage(one, parsed(doc, one))


def _kept_going(read: Callable[[Readable], Extraction], one: Readable) -> Extraction:
    """What ``read`` gives; where it fails, an empty extraction that says why."""
    try:
        extraction = read(one)
    except Exception as error:  # noqa: BLE001 - one odd text among thousands must not cost the others
        return Extraction(one.id, EXTRACTOR, warning=f"could not be read: {type(error).__name__}: {error}")
    if len(one.text) > MOST_CHARACTERS:
        return replace(
            extraction, warning=f"only the first {MOST_CHARACTERS:,} of {len(one.text):,} characters were read"
        )
    return extraction


def _read_other(one: Readable) -> Extraction:
    if one.given:
        return replace(read_given(one), about=about(one))
    if one.kind == "table":
        return read_table(one)
    return Extraction(one.id, EXTRACTOR, about=about(one), warning="not read for entities: not in Latin script")


def _is_parsed(one: Readable) -> bool:
    return one.kind == "passage" and not one.given and _is_latin(one.text)


def _is_latin(text: str) -> bool:
    """Whether most letters are Latin; the rules are for English, and nonsense on any other script."""
    letters = [c for c in text[:_LOOKED_AT] if c.isalpha()]
    return sum(c < _AFTER_LATIN for c in letters) * 2 >= len(letters)


def read_passage(readable: Readable, parse: Parse) -> Extraction:
    """All rules on one parsed passage."""
    opening = opening_of(parse)
    parse = mended(parse, opening)
    places = found(parse)
    raw = topics(parse, places, opening)
    name = opening_name(opening, raw)
    titled = key(without_suffix(readable.title)) in {key(one.name) for one in raw}
    titled |= opening.defines and are_one(name, without_suffix(readable.title))
    pairs = alias_pairs(readable, places, name if titled else "")
    same = {key(alias): name for alias, name in pairs}
    inner = [replace(one, name=_full_name(one.name, same)) for one in raw]
    subjects = about(readable, inner)
    unseen = list(_unseen(readable, places, subjects, pairs))
    named = covering(parse, (*places, *(place for place in unseen if place.name == without_suffix(readable.title))))
    topic = topic_of(main_name(subjects, readable), places, parse)
    means = antecedents(parse, topic, named, same) | opening_subject(parse, opening, same.get(key(name), name))
    mentions = merged((*places, *located(parse), *unseen), same)
    same = {key(mention.name): mention.name for mention in mentions} | same
    return Extraction(
        id=readable.id,
        extractor=EXTRACTOR,
        mentions=mentions,
        about=subjects,
        triples=triples(Ends(parse, named, means, same), topic.name, person=topic.person is True),
        aliases=pairs,
    )


def _full_name(name: str, same: Mapping[str, str]) -> str:
    """The full name behind a surname. Other aliases stay: other documents may use them."""
    full = same.get(key(name), name)
    return full if key(name) in key(full).split() else name


def _unseen(
    readable: Readable, places: Iterable[Found], subjects: Iterable[About], pairs: Iterable[tuple[str, str]]
) -> Iterator[Found]:
    """Where the text names what it is about, or an alias, though no rule saw a name there."""
    known = {key(place.name) for place in places}
    for name, exact in (*((one.name, False) for one in subjects), *((alias, True) for alias, _ in pairs)):
        if key(name) not in known:
            yield from (Found(name, "NAME", *span) for span in spans_of(name, readable.text, exact=exact))


def read_table(readable: Readable) -> Extraction:
    """Names and triples of a table's header row and first column."""
    table = rows(readable.text)
    mentions = merged(table_places(table), {})
    return Extraction(readable.id, EXTRACTOR, mentions=mentions, about=about(readable), triples=table_triples(table))

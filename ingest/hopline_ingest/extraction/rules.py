"""Rule-based extraction: mentions, triples and subjects of passages and tables from a dependency parse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hopline.records import UNNAMED_KINDS
from hopline.tables.grid import build_grid
from hopline_ingest.extraction.aliases import are_same_entity, find_aliases, strip_title_suffix
from hopline_ingest.extraction.coreference import build_passage_antecedent, resolve_coreferences
from hopline_ingest.extraction.given_facts import extract_given, find_spans
from hopline_ingest.extraction.mentions.finder import find_mentions, map_tokens_to_names, merge_mentions
from hopline_ingest.extraction.mentions.names import NameSpan, name_key
from hopline_ingest.extraction.name_tags import NameTags, find_names, tag_docs
from hopline_ingest.extraction.parsed_text import ParsedText, to_parsed_text, tokenize
from hopline_ingest.extraction.records import Extraction, ExtractionInput, InTextCitation, SubjectEntity
from hopline_ingest.extraction.references import find_citations, read_references
from hopline_ingest.extraction.relations.tables import extract_table_triples, find_table_names, list_rows
from hopline_ingest.extraction.relations.triples import TripleEnds, extract_triples
from hopline_ingest.extraction.spacy_pipeline import BATCH, load_pipeline, single_threaded
from hopline_ingest.extraction.subjects.first_sentence import add_missing_subject, parse_opening
from hopline_ingest.extraction.subjects.ranking import find_opening_name, map_opening_subject, rank_subjects
from hopline_ingest.extraction.subjects.selection import (
    select_main_name,
    select_named,
    select_subjects,
    strip_heading_number,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

EXTRACTOR = "spacy-4"  # increment when the rules change: the graph is then extracted again
MAX_CHARACTERS = 100_000
_SCRIPT_SAMPLE = 2000  # characters that determine the script
_AFTER_LATIN = "\u0370"


def extract_batch(inputs: list[ExtractionInput]) -> list[Extraction]:
    """Extract a batch, one result per input in order; a text that fails yields an empty extraction with a warning.

    Runs in a worker process: the spaCy pipeline is loaded at the first call, once per process.
    """
    passages = [index for index, evidence in enumerate(inputs) if _needs_parsing(evidence)]
    extracted = dict(zip(passages, _extract_passages([inputs[index] for index in passages]), strict=True))
    return [
        extracted[index] if index in extracted else _extract_safely(_extract_unparsed, evidence)
        for index, evidence in enumerate(inputs)
    ]


def _extract_passages(passages: Sequence[ExtractionInput]) -> list[Extraction]:
    if not passages:
        return []
    with single_threaded():
        docs = list(
            load_pipeline().pipe((tokenize(evidence, MAX_CHARACTERS) for evidence in passages), batch_size=BATCH)
        )
        return [
            _extract_safely(partial(_extract_from_doc, doc, tags), evidence)
            for evidence, doc, tags in zip(passages, docs, tag_docs(docs), strict=True)
        ]


def _extract_from_doc(doc: Doc, tags: NameTags, evidence: ExtractionInput) -> Extraction:
    return extract_passage(evidence, to_parsed_text(doc, evidence, tags))


def _extract_safely(extract: Callable[[ExtractionInput], Extraction], evidence: ExtractionInput) -> Extraction:
    """Return the result of ``extract``, or an empty extraction with the reason as warning if it fails."""
    try:
        extraction = extract(evidence)
    except Exception as error:  # noqa: BLE001 - a text that fails must not stop the batch
        return Extraction(evidence.id, EXTRACTOR, warning=f"extraction failed: {type(error).__name__}: {error}")
    if len(evidence.text) > MAX_CHARACTERS:
        return replace(
            extraction, warning=f"only the first {MAX_CHARACTERS:,} of {len(evidence.text):,} characters were extracted"
        )
    return extraction


def _extract_unparsed(evidence: ExtractionInput) -> Extraction:
    if evidence.has_given_facts:
        return replace(extract_given(evidence), about=select_subjects(evidence))
    if evidence.kind == "table":
        return extract_table(evidence)
    if references := read_references(evidence):
        return Extraction(evidence.id, EXTRACTOR, references=references)
    return Extraction(
        evidence.id,
        EXTRACTOR,
        about=select_subjects(evidence),
        warning="entities were not extracted: the text is not in Latin script",
    )


def _needs_parsing(evidence: ExtractionInput) -> bool:
    """Whether a text is to be parsed; the entries of a list of references are read otherwise (`read_references`)."""
    if evidence.kind == "table" or evidence.has_given_facts or not _is_latin(evidence.text):
        return False
    return not read_references(evidence)


def _is_latin(text: str) -> bool:
    """Whether most letters are Latin; the rules are for English and give nonsense on any other script."""
    letters = [c for c in text[:_SCRIPT_SAMPLE] if c.isalpha()]
    return sum(c < _AFTER_LATIN for c in letters) * 2 >= len(letters)


def extract_passage(evidence: ExtractionInput, parsed: ParsedText) -> Extraction:
    """Apply all rules to one parsed passage."""
    opening = parse_opening(parsed)
    parsed = add_missing_subject(parsed, opening)
    citations = find_citations(evidence.text)
    name_spans = [span for span in find_mentions(parsed) if not _is_cited(span, citations)]
    ranked = rank_subjects(parsed, name_spans, opening)
    name = find_opening_name(opening, ranked)
    names_title = name_key(strip_title_suffix(evidence.title)) in {name_key(subject.name) for subject in ranked}
    names_title |= opening.defines and are_same_entity(name, strip_title_suffix(evidence.title))
    pairs = find_aliases(evidence, name_spans, name if names_title else "")
    full_names = {name_key(alias): name for alias, name in pairs}
    text_subjects = [replace(subject, name=_expand_surname(subject.name, full_names)) for subject in ranked]
    candidates = select_subjects(evidence, text_subjects)
    named = [span.name for span in name_spans if span.kind not in UNNAMED_KINDS]
    subjects = select_named(candidates, [*named, *_find_names_above(evidence)])
    missed = list(_find_missed_names(evidence, name_spans, subjects, pairs))
    names_by_token = map_tokens_to_names(
        parsed, (*name_spans, *(span for span in missed if span.name == strip_title_suffix(evidence.title)))
    )
    antecedent = build_passage_antecedent(select_main_name(candidates, evidence), name_spans, parsed)
    references = resolve_coreferences(parsed, antecedent, names_by_token, full_names) | map_opening_subject(
        parsed, opening, full_names.get(name_key(name), name)
    )
    mentions = merge_mentions((*name_spans, *missed), full_names)
    full_names = {name_key(mention.name): mention.name for mention in mentions} | full_names
    return Extraction(
        id=evidence.id,
        extractor=EXTRACTOR,
        mentions=mentions,
        about=subjects,
        triples=extract_triples(
            TripleEnds(parsed, names_by_token, references, full_names),
            antecedent.name,
            is_person=antecedent.is_person is True,
        ),
        aliases=pairs,
        citations=citations,
    )


def _find_names_above(evidence: ExtractionInput) -> tuple[str, ...]:
    """Return the names in the innermost heading, without its number or letter, and in the caption."""
    headings = map(strip_heading_number, evidence.section[-1:])
    return tuple(name for text in (*headings, evidence.caption) if text for name in find_names(text))


def _is_cited(span: NameSpan, citations: Iterable[InTextCitation]) -> bool:
    """Whether a name is in a citation, so that it names the author of a reference rather than a person."""
    return any(citation.span[0] < span.end and span.start < citation.span[1] for citation in citations)


def _expand_surname(name: str, full_names: Mapping[str, str]) -> str:
    """Return the full name for a surname; other aliases are unchanged, since other documents may use them."""
    full = full_names.get(name_key(name), name)
    return full if name_key(name) in name_key(full).split() else name


def _find_missed_names(
    evidence: ExtractionInput,
    name_spans: Iterable[NameSpan],
    subjects: Iterable[SubjectEntity],
    pairs: Iterable[tuple[str, str]],
) -> Iterator[NameSpan]:
    """Find occurrences of the subjects and aliases that no rule recognised as names."""
    known = {name_key(span.name) for span in name_spans}
    for name, exact in (*((subject.name, False) for subject in subjects), *((alias, True) for alias, _ in pairs)):
        if name_key(name) not in known:
            yield from (NameSpan(name, "NAME", *span) for span in find_spans(name, evidence.text, exact=exact))


def extract_table(evidence: ExtractionInput) -> Extraction:
    """Extract the names of a table, and triples of its first column, header row and cells."""
    grid = build_grid(evidence.text, evidence.cells)
    table = list_rows(grid) if grid else []
    with single_threaded():
        mentions = merge_mentions(find_table_names(table), {})
        names = [*(mention.name for mention in mentions), *_find_names_above(evidence)]
    about = select_named(select_subjects(evidence), names)
    return Extraction(evidence.id, EXTRACTOR, mentions, about, extract_table_triples(table))

"""Extraction by a language model: one prompt per passage yields its entities and triples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hopline.errors import BudgetSpent, ReplyError
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Ask, Flow, Reply, ask
from hopline_ingest.extraction.given_facts import find_sentence, find_spans
from hopline_ingest.extraction.llm.facts import SCHEMA, Facts, build_facts
from hopline_ingest.extraction.mentions.names import name_key
from hopline_ingest.extraction.records import Extraction, ExtractionInput, Mention, StatedTriple
from hopline_ingest.extraction.rules import extract_batch

MODEL_EXTRACTOR = "model-2"  # increment when the prompt changes: the graph is then extracted again
MAX_TOKENS = 1500
SYSTEM = "You turn passages of documents into facts for a knowledge graph. You answer with one JSON object only."
PROMPT = """\
Read the passage below and write down two things.

"entities": every name in it that somebody could look up or that could join it to another passage. People, \
organisations, places, works, products, events, dates, amounts, and the terms that it explains. Use the fullest form \
that the passage or its title gives, each name once.

"triples": what the passage says, one plain fact each.
- The subject or the object is one of your entities; best are both.
- Write out who or what is meant: never "he", "it", "they", "the company".
- The predicate is a short phrase such as "was founded in" or "chief executive of".
- Leave out what the passage does not say.

For a passage titled "Tern Lighthouse" that reads "It was lit in 1902 and kept by Ada Quill until the harbour board of \
Port Sorrel sold it." a good answer is
{{"entities": ["Tern Lighthouse", "1902", "Ada Quill", "harbour board of Port Sorrel", "Port Sorrel"], \
"triples": [{{"subject": "Tern Lighthouse", "predicate": "was lit in", "object": "1902"}}, \
{{"subject": "Ada Quill", "predicate": "kept", "object": "Tern Lighthouse"}}, \
{{"subject": "harbour board of Port Sorrel", "predicate": "sold", "object": "Tern Lighthouse"}}, \
{{"subject": "harbour board of Port Sorrel", "predicate": "is in", "object": "Port Sorrel"}}]}}

{passage}"""
COMPLAINT = """

An earlier answer to this could not be used: {complaint}. Answer with the JSON object only."""

BatchExtractor = Callable[[list[ExtractionInput]], list[Extraction]]


def extract_with_llm(
    inputs: Sequence[ExtractionInput], extract: BatchExtractor = extract_batch
) -> Flow[list[Extraction]]:
    """Extract with a language model, one result per input in order.

    The subjects of a passage come from ``extract``, as do the results for tables and for rows with given
    entities. An invalid reply is requested once more with the complaint; if that fails too, or the budget is
    spent, the passage gets the result of ``extract`` with a warning.
    """
    rule_extractions = extract(list(inputs))
    indices = [index for index, evidence in enumerate(inputs) if needs_llm(evidence)]
    prompts = {index: build_prompt(inputs[index]) for index in indices}
    facts_by_index: dict[int, Facts] = {}
    complaints: dict[int, str] = {}
    for _ in range(2):
        waiting = [index for index in indices if index not in facts_by_index]
        if waiting:
            try:
                replies = yield _request_replies(prompts, complaints, waiting)
            except BudgetSpent as error:
                complaints = {index: complaints.get(index, str(error)) for index in waiting}
                break
            _sort_replies(waiting, replies, facts_by_index, complaints)
    return [
        _merge_facts(evidence, rule_extractions, facts_by_index.get(index), complaints.get(index, ""))
        for index, (evidence, rule_extractions) in enumerate(zip(inputs, rule_extractions, strict=True))
    ]


def needs_llm(evidence: ExtractionInput) -> bool:
    """Whether a language model extracts this evidence; not tables, and not rows with given entities."""
    return evidence.kind == "passage" and not evidence.has_given_facts


def build_prompt(evidence: ExtractionInput) -> str:
    """Build the prompt of one passage; the title includes the section, which helps to resolve initial pronouns."""
    title = " / ".join(part for part in (evidence.title, *evidence.section) if part.strip())
    return PROMPT.format(passage=quote_text(f"Title: {title or '(none)'}\nPassage: {evidence.text}"))


def _request_replies(prompts: Mapping[int, str], complaints: Mapping[int, str], waiting: Sequence[int]) -> Ask:
    texts = [
        prompts[index] + (COMPLAINT.format(complaint=complaints[index]) if index in complaints else "")
        for index in waiting
    ]
    return ask(texts, schema=SCHEMA, system=SYSTEM, max_tokens=MAX_TOKENS)


def _sort_replies(
    waiting: Sequence[int], replies: Sequence[Reply], facts_by_index: dict[int, Facts], complaints: dict[int, str]
) -> None:
    """Store the facts of each valid reply and the complaint about each invalid one."""
    for index, reply in zip(waiting, replies, strict=True):
        if not isinstance(reply.data, Mapping):
            complaints[index] = reply.error or "the reply holds no JSON object"
            continue
        try:
            facts_by_index[index] = build_facts(reply.data)
        except ReplyError as error:
            complaints[index] = str(error)


def _merge_facts(
    evidence: ExtractionInput, rule_extractions: Extraction, facts: Facts | None, complaint: str
) -> Extraction:
    """Combine the model's facts with the rule-based extraction; without facts return the latter, with a warning."""
    if facts is None:
        if not complaint:
            return rule_extractions
        return replace(rule_extractions, warning=f"extracted without the model, whose reply was invalid: {complaint}")
    triples = tuple(
        StatedTriple(*triple, find_sentence(" ".join(triple), evidence.text, evidence.sentences))
        for triple in facts.triples
    )
    return replace(
        rule_extractions,
        extractor=MODEL_EXTRACTOR,
        mentions=_merge_mentions(evidence, rule_extractions, facts),
        triples=triples,
    )


def _merge_mentions(evidence: ExtractionInput, rule_extractions: Extraction, facts: Facts) -> tuple[Mention, ...]:
    """Combine the model's entities, with the parser's kinds, and the names of the parser that the model omitted."""
    known_mentions = {
        name_key(form): mention for mention in rule_extractions.mentions for form in (mention.name, *mention.aliases)
    }
    mentions: dict[str, Mention] = {}
    for name in facts.entities:
        known = known_mentions.get(name_key(name))
        group = name_key(known.name) if known else name_key(name)
        mentions.setdefault(group, known or Mention(name, "NAME", find_spans(name, evidence.text)))
    for mention in rule_extractions.mentions:
        if mention.kind != "NOUN":
            mentions.setdefault(name_key(mention.name), mention)
    return tuple(mentions.values())

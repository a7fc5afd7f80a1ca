"""Reading with a language model: one prompt a passage gives its entities and triples together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hopline.errors import BudgetSpent, ReplyError
from hopline.flow.requests import Ask, Flow, Reply, ask
from hopline_ingest.extraction.given import sentence_of, spans_of
from hopline_ingest.extraction.llm.reply import SCHEMA, Facts, facts_of
from hopline_ingest.extraction.mentions.names import key
from hopline_ingest.extraction.records import Extraction, Mention, Readable, Stated
from hopline_ingest.extraction.rules import read_batch

MODEL_EXTRACTOR = "model-1"  # to be raised when the prompt changes: the graph is then read again
MOST_TOKENS = 1500
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

Title: {title}
Passage: {text}"""
COMPLAINT = """

An earlier answer to this could not be used: {complaint}. Answer with the JSON object only."""

Read = Callable[[list[Readable]], list[Extraction]]


def extract_with_model(readables: Sequence[Readable], read: Read = read_batch) -> Flow[list[Extraction]]:
    """One extraction for each readable, in order.

    What a passage is about comes from ``read``, as do tables, and rows that bring their own
    entities. A reply that cannot be used is asked for once more with the complaint; then the
    passage keeps what ``read`` found, and its warning says so. So it does where the budget is spent.
    """
    read_plainly = read(list(readables))
    asked = [place for place, one in enumerate(readables) if is_asked(one)]
    prompts = {place: prompt_of(readables[place]) for place in asked}
    found: dict[int, Facts] = {}
    complaints: dict[int, str] = {}
    for _ in range(2):
        waiting = [place for place in asked if place not in found]
        if waiting:
            try:
                replies = yield _request(prompts, complaints, waiting)
            except BudgetSpent as error:
                complaints = {place: complaints.get(place, str(error)) for place in waiting}
                break
            _sort_out(waiting, replies, found, complaints)
    return [
        _joined(one, plain, found.get(place), complaints.get(place, ""))
        for place, (one, plain) in enumerate(zip(readables, read_plainly, strict=True))
    ]


def is_asked(readable: Readable) -> bool:
    """Whether the model reads it: tables, and rows that bring their own entities, it does not."""
    return readable.kind == "passage" and not readable.given


def prompt_of(readable: Readable) -> str:
    """The prompt of one passage; its title carries the section, for pronouns at its beginning."""
    title = " / ".join(part for part in (readable.title, *readable.section) if part.strip())
    return PROMPT.format(title=title or "(none)", text=readable.text)


def _request(prompts: Mapping[int, str], complaints: Mapping[int, str], waiting: Sequence[int]) -> Ask:
    texts = [
        prompts[place] + (COMPLAINT.format(complaint=complaints[place]) if place in complaints else "")
        for place in waiting
    ]
    return ask(texts, schema=SCHEMA, system=SYSTEM, max_tokens=MOST_TOKENS)


def _sort_out(
    waiting: Sequence[int], replies: Sequence[Reply], found: dict[int, Facts], complaints: dict[int, str]
) -> None:
    """Puts every reply under what was found or what is wrong with it."""
    for place, reply in zip(waiting, replies, strict=True):
        try:
            found[place] = facts_of(reply.text, reply.data)
        except ReplyError as error:
            complaints[place] = reply.error if reply.error and not reply.text else str(error)


def _joined(one: Readable, plain: Extraction, facts: Facts | None, complaint: str) -> Extraction:
    """The model's facts on top of what the parser found; the parser's alone where there are none."""
    if facts is None:
        if not complaint:
            return plain
        return replace(plain, warning=f"read without the model, whose reply could not be used: {complaint}")
    stated = tuple(Stated(*triple, sentence_of(" ".join(triple), one.text, one.sentences)) for triple in facts.triples)
    return replace(plain, extractor=MODEL_EXTRACTOR, mentions=_mentions(one, plain, facts), triples=stated)


def _mentions(one: Readable, plain: Extraction, facts: Facts) -> tuple[Mention, ...]:
    """The model's entities where the text has them, with the parser's kinds, and the names that it left out."""
    parser = {key(form): mention for mention in plain.mentions for form in (mention.name, *mention.aliases)}
    mentions: dict[str, Mention] = {}
    for name in facts.entities:
        own = parser.get(key(name))
        group = key(own.name) if own else key(name)
        mentions.setdefault(group, own or Mention(name, "NAME", spans_of(name, one.text)))
    for mention in plain.mentions:
        if mention.kind != "NOUN":
            mentions.setdefault(key(mention.name), mention)
    return tuple(mentions.values())

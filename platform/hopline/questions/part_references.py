"""What a later part of a question takes from its first part: referents of pronouns, the time, the owner, the verb.

    "Which ship did Varrow buy in 2019, …"     "… and what does it carry?"     the answer, or "the ship that …"
    "Towards which country did it build a fence, …"   "… when was it removed?"  "the fence that …"
    "What was Varrow's revenue in 2022, …"     "… what was its profit?"        Varrow's profit in 2022
    "Where was Ada Lund born, …"               "… and when was that?"          "When was Ada Lund born?"

Where a part may mean several things, all of them are returned, the likeliest first: the documents decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final

from hopline.questions.clauses import (
    asks_for_subject,
    find_phrase_end,
    find_subject,
    find_verb,
    is_asked,
    is_be,
    skip_attribute,
    skip_name_of,
    write_definite,
)
from hopline.questions.coordination import capitalize, format_question, join_tokens, strip_punctuation
from hopline.questions.ellipsis import simplify_fragment
from hopline.questions.phrases import DO
from hopline.questions.pronouns import PERSONS, SEVERAL, find_demonstratives, find_open_pronouns, replace_pronouns
from hopline.questions.question_words import replace_question_word
from hopline.questions.referents import (
    describe_answer,
    find_location,
    find_same_kind,
    find_several,
    shorten_answer,
)
from hopline.questions.repeated_phrases import is_time
from hopline.text.parser import load_question_parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_READINGS: Final = 3
_WHO: Final = frozenset({"who", "whom"})
_PREPOSITIONS: Final = frozenset({"IN", "TO"})
_NOUN_TAGS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_TIMES: Final = frozenset({"date", "day", "month", "time", "year"})  # no referents of "it"
_SAME_ACTION: Final = frozenset({"it", "so", "that", "this"})
_OCCURS: Final = frozenset({"happen", "happened", "happens", "occur", "occurred", "occurs"})
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
_PARTICIPLES: Final = frozenset({"VBN", "VBG", "VB"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_INDEFINITE: Final = frozenset({"a", "an", "any", "some"})
_QUANTITIES: Final = frozenset({"many", "much", "large", "high", "share", "percentage", "proportion"})


def resolve_part(part: str, first: str, answer: str = "") -> tuple[str, ...]:
    """Return the complete questions that a part of a question may mean, the likeliest first.

    ``first`` is the first part, and ``answer`` its answer, "" if it has none.
    """
    before = load_question_parser()(first)
    doc = load_question_parser()(simplify_fragment(_name_asked(part, before)))
    if opening := _find_opening_of_same_action(doc):
        doc = opening
    if _is_bare(doc):
        return (_repeat_clause(doc, before, answer),)
    doc = load_question_parser()(_name_same(doc.text, before, answer))
    time = _find_time(before) if _shares_time(doc, before) else ""
    readings = [_append(reading, time) for reading in _replace_references(doc, before, answer)]
    return tuple(dict.fromkeys(readings))[:MAX_READINGS]


def _name_asked(part: str, before: Doc) -> str:
    """Repeat the noun that both parts ask for: "Which one covers fire?", "How many graduated?"."""
    doc = load_question_parser()(part)
    words = strip_punctuation(before)
    opening = [word.lower_ for word in words[:2]]
    end = 2 if opening == ["how", "many"] else 1
    noun = join_tokens(words[end : find_verb(words)])
    asks_which = [word.lower_ for word in doc[:2]] in (["which", "one"], ["which", "ones"]) and opening[0] == "which"
    asks_count = end == 2 and [word.lower_ for word in doc[:2]] == opening and doc[2].tag_ in {*_FINITE_TAGS, "VBN"}
    if not noun or not (asks_which or asks_count):
        return part
    return f"{doc[:end].text} {noun} {doc[2:].text}"


def _is_bare(doc: Doc) -> bool:
    """Whether a part has only a question word and its phrase: "and since when?", "and at what price?"."""
    return not any(token.tag_ in _FINITE_TAGS for token in doc)


def _find_opening_of_same_action(doc: Doc) -> Doc | None:
    """The question phrase of "Why did he do it?", which asks about what the first part says; None for others."""
    words = strip_punctuation(doc)
    verb = find_verb(words)
    rest = [token.lower_ for token in words[verb + 1 :]]
    is_same = verb < len(words) and words[verb].lower_ in DO and rest[-2:-1] == ["do"] and rest[-1] in _SAME_ACTION
    return doc[: words[verb].i].as_doc() if is_same and len(rest) == 3 and words[verb + 1].tag_ == "PRP" else None


def _repeat_clause(doc: Doc, before: Doc, answer: str) -> str:
    """The clause of the first part with another question word; its words in order if it is not clear what changes."""
    words = strip_punctuation(before)
    if repeated := replace_question_word(doc, before, answer):
        object_asked = words[0].tag_ in _PREPOSITIONS and words[1].lower_ in _WHO and doc[0].tag_ not in _PREPOSITIONS
        return _append(repeated, f"{words[0].lower_} {_get_name(answer)}" if object_asked and _get_name(answer) else "")
    return format_question(f"{join_tokens(strip_punctuation(doc))} {join_tokens(words[find_verb(words) :])}")


def _name_same(part: str, before: Doc, answer: str) -> str:
    """Replace "the same quarter" and "that ship" by what the first part says of a quarter or ship."""
    doc = load_question_parser()(part)
    for noun in reversed([word for word in doc[2:] if word.nbor(-1).lower_ == "same"]):
        same = [token for token in before if token.lower_ == noun.lower_]
        if len(same) == 1:
            start = noun.i - (2 if noun.nbor(-2).lower_ == "the" else 1)
            name = before[same[0].left_edge.i : same[0].right_edge.i + 1].text
            part = f"{doc[:start].text_with_ws}{name}{noun.whitespace_}{doc[noun.i + 1 :].text}"
            doc = load_question_parser()(part)
    for noun in reversed(find_demonstratives(doc)):
        if name := find_same_kind(before.text, answer, noun.lower_):
            part = f"{doc[: noun.i - 1].text_with_ws}{name}{noun.whitespace_}{doc[noun.i + 1 :].text}"
    return part


def _replace_references(doc: Doc, before: Doc, answer: str) -> list[str]:
    """The questions with each referent that the pronouns, "there" and nouns without an owner may have."""
    referents = {token.i: _list_referents(token, before, answer) for token in _find_pronouns(doc)}
    for token in doc:
        if token.lower_ == "there" and token.tag_ == "RB":
            referents[token.i] = [find_location(before.text, answer if before[0].lower_ == "where" else "")]
    referents = {index: texts for index, texts in referents.items() if any(texts)}
    if not referents:
        return [_name_owner(doc, before)]
    last = {index: texts[-1] for index, texts in referents.items()}
    rows = zip_longest(*referents.values())
    return [
        replace_pronouns(doc, {index: text or last[index] for index, text in zip(referents, row, strict=True)})
        for row in rows
    ]


def _find_pronouns(doc: Doc) -> list[Token]:
    """The pronouns that refer to the first part; of possessives, those without a name before them."""
    owned = [
        token for token in doc if token.tag_ == "PRP$" and not any(word.pos_ == "PROPN" for word in doc[: token.i])
    ]
    return list(dict.fromkeys((*find_open_pronouns(doc), *owned)))


def _list_referents(pronoun: Token, before: Doc, answer: str) -> list[str]:
    if pronoun.lower_ in PERSONS:
        texts = _list_persons(before, answer)
    elif pronoun.lower_ in SEVERAL:
        texts = _list_several(before, answer)
    else:
        texts = _list_things(pronoun, before, answer)
    return [text for text in dict.fromkeys(texts) if text]


def _list_persons(before: Doc, answer: str) -> list[str]:
    subject = _find_topic(before)
    described = _find_owner(subject) or join_tokens(subject)
    if before[0].lower_ not in {*_WHO, "which", "what"}:
        return [described]
    if not asks_for_subject(before) and not is_be(before[1]):  # "Whom did the driver hit?"
        return [described, _get_name(answer)] if before[0].lower_ in _WHO else [described]
    is_name = bool(subject) and subject[0].pos_ == "PROPN" and is_be(before[1])  # "Who is Ada Lund?"
    if is_name or before[0].lower_ not in _WHO:
        return [described] if is_name or not asks_for_subject(before) else [_name_agent(before, answer)]
    return [_name_agent(before, answer)]


def _name_agent(before: Doc, answer: str) -> str:
    return _get_name(answer) or describe_answer(before.text)


def _list_several(before: Doc, answer: str) -> list[str]:
    """Things or persons that "they" refers to; "Who won …?" may ask for a group, which is not described."""
    if before[0].lower_ in _WHO:
        described = describe_answer(before.text)
        return [_get_name(answer) or (described if not described.startswith("the person ") else "")]
    words = strip_punctuation(before)
    verb = find_verb(words)
    opening = [token.lower_ for token in words[:3]]
    if opening == ["how", "many", "of"] and words[verb:]:
        is_empty = words[verb].lower_ in _OCCURS or is_be(words[verb])
        is_located = is_empty and words[verb + 1 : verb + 2] and words[verb + 1].tag_ == "IN"
        clause = join_tokens(words[verb + 1 :]) if is_located else f"that {join_tokens(words[verb:])}"
        return [f"{join_tokens(words[3:verb])} {clause}"]
    if opening[:2] == ["how", "many"] and words[verb:] and words[verb].lower_ in DO and words[-1].lower_ != "have":
        return [f"the {join_tokens(words[2:verb])} that {_write_statement(words, [], answer='')}"]
    return [find_several(before.text, answer)]


def _list_things(pronoun: Token, before: Doc, answer: str) -> list[str]:
    """Things that "it" refers to: what is asked for, the subject or the object, by what the part says of it."""
    options = _describe_asked(before, answer)
    objects = _describe_objects(before, answer, pronoun)
    topic = _cut_phrase(_find_topic(before), pronoun)
    asks_agent = asks_for_subject(before) and not is_be(before[1])
    subject = [] if asks_agent else _list_owners(topic) if pronoun.tag_ == "PRP$" else [_write(topic)]
    is_patient = pronoun.dep_ in {"dobj", "nsubjpass"} or pronoun.head.tag_ == "VBN" or is_be(pronoun.head)
    if asks_agent:
        return objects + options if is_patient else options + objects
    return options + objects + subject if is_patient else options + subject + objects


def _list_owners(topic: Sequence[Token]) -> list[str]:
    """Owners that "its" refers to: "Varrow" of "Varrow's revenue", "ethanol" of "the density of ethanol"."""
    of = next((n for n, token in enumerate(topic) if token.lower_ == "of"), None)
    behind = [t for t in topic[of + 1 :] if t.i <= topic[of].right_edge.i] if of is not None else []
    return [_find_owner(topic) or _write(behind) or _write(topic), _write(topic)]


def _find_owner(words: Sequence[Token]) -> str:
    """The owner at the beginning of a noun phrase: "Varrow" of "Varrow's revenue in 2022"; "" if it has none."""
    mark = next((n for n, token in enumerate(words) if token.tag_ == "POS"), 0)
    has_preposition = any(token.tag_ == "IN" for token in words[:mark])
    return "" if has_preposition else join_tokens(words[:mark])


def _find_topic(before: Doc) -> list[Token]:
    """The subject; of "What was the revenue in 2022?" with what follows it."""
    words = strip_punctuation(before)
    verb = find_verb(words)
    if 0 < verb < len(words) and is_be(words[verb]) and not any(t.tag_ in _PARTICIPLES for t in words[verb + 1 :]):
        end = max(
            (n for n, t in enumerate(words) if t.pos_ in {*_NOUNS, "NUM"} or any(c.isdigit() for c in t.text)),
            default=verb,
        )
        return list(words[verb + 1 : end + 1])
    if subject := find_subject(words):
        return subject
    noun = next((t for t in words if t.dep_ in {"nsubj", "nsubjpass"} and t.pos_ in _NOUNS and not is_asked(t)), None)
    return [] if noun is None else [word for word in words if noun.left_edge.i <= word.i <= find_phrase_end(noun)]


def _cut_phrase(words: Sequence[Token], pronoun: Token) -> list[Token]:
    """The words before a preposition that also follows the pronoun: "the contract" of "who signed it for the buyer"."""
    following = pronoun.nbor(1) if pronoun.i + 1 < len(pronoun.doc) else pronoun
    end = (n for n, word in enumerate(words) if n and word.tag_ == "IN" and word.lower_ == following.lower_)
    return list(words[: next(end, len(words))])


def _describe_asked(before: Doc, answer: str) -> list[str]:
    """What "which ship" asks for: the answer, and its description; nothing if it is a mere circumstance."""
    words = strip_punctuation(before)
    verb = find_verb(words)
    opening = words[1:verb]
    is_noun = verb < len(words) and bool(opening) and opening[-1].tag_ in _NOUN_TAGS
    if words[0].lower_ not in {"which", "what"} or not is_noun or opening[-1].lower_ in _TIMES:
        return []
    noun = join_tokens(opening)
    if asks_for_subject(before):
        return [_get_name(answer), _describe_agent(before, opening)]
    return [_get_name(answer), f"the {noun} that {_write_statement(words, [], answer='')}"]


def _describe_agent(before: Doc, opening: Sequence[Token]) -> str:
    """The thing that does what is asked: "the ship that sank", "the one of the pumps that failed"."""
    described = describe_answer(before.text)
    return described.replace("the of", "the one of", 1) if opening[0].lower_ == "of" else described


def _describe_objects(before: Doc, answer: str, pronoun: Token) -> list[str]:
    """The objects of the first part; one without "the" is described by its clause: "the fence that Osk did build"."""
    words = strip_punctuation(before)
    texts = []
    for token in words:
        if token.dep_ == "dobj" and token.tag_ in {"NN", "NNP"} and not is_asked(token):
            phrase = [word for word in words if token.left_edge.i <= word.i <= find_phrase_end(token)]
            if phrase[0].dep_ not in {"det", "poss", "compound"} and phrase[0].tag_ not in {"NNP", "DT"}:
                continue  # "receive net"
            text = write_definite(_cut_phrase(phrase, pronoun))
            if phrase[0].lower_ in _INDEFINITE and (clause := _write_statement(words, phrase, answer=answer)):
                text = f"{text} that {clause}"
            texts.append(text)
    return texts


def _write_statement(words: Sequence[Token], left_out: Sequence[Token], *, answer: str) -> str:
    """The clause of a question as a statement, without a phrase: "Osk did build in 1968"; the answer is put in."""
    verb = find_verb(words)
    opening, rest = words[:verb], [token for token in words[verb + 1 :] if token not in left_out]
    if words[0].doc[verb].lower_ not in DO and asks_for_subject(words[0].doc):
        return f"{_get_name(answer)} {words[verb].text} {join_tokens(rest)}".strip() if _get_name(answer) else ""
    subject = [token for token in find_subject(words) if token in rest]
    others = [token for token in rest if token not in subject]
    preposition = opening[0].text.lower() if opening and opening[0].tag_ in _PREPOSITIONS else ""
    location = f" {preposition} {_get_name(answer)}" if preposition and _get_name(answer) else ""
    return " ".join(f"{join_tokens(subject)} {words[verb].text} {join_tokens(others)}{location}".split())


def _get_name(answer: str) -> str:
    """The name that an answer is, "" for other answers."""
    short = shorten_answer(answer)
    return short if short[:1].isupper() else ""


def _write(words: Sequence[Token]) -> str:
    """A noun phrase; "the dividend" of "the date of the dividend"."""
    if any(token.lower_ in _TIMES and after.lower_ == "of" for token, after in pairwise(words)):
        words = skip_attribute(words)
    return skip_name_of(write_definite(words)) if words else ""


def _name_owner(doc: Doc, before: Doc) -> str:
    """Add the owner to "What was the profit?" after "What was Varrow's revenue?"."""
    words = strip_punctuation(doc)
    owner = _find_owner(_find_topic(before))
    is_open = len(words) > 2 and is_be(words[1]) and words[-1].tag_ in _NOUN_TAGS and not _has_name(words)
    text = f"{join_tokens(words)} of {owner}" if owner and is_open else join_tokens(words)
    return format_question(capitalize(text))


def _has_name(words: Iterable[Token]) -> bool:
    return any(token.pos_ == "PROPN" for token in words)


def _find_time(before: Doc) -> str:
    """The time of the first part with its preposition: "in the second quarter of 2023"."""
    for token in before:
        phrase = before[token.i : token.right_edge.i + 1]
        if token.dep_ == "prep" and not is_asked(token) and is_time(phrase):
            return join_tokens(strip_punctuation(phrase))
    return ""


def _shares_time(doc: Doc, before: Doc) -> bool:
    """Whether a part that asks for a value, without a time of its own, is about the time of the first part."""
    opening = {token.lower_ for token in doc[:3]}
    words = strip_punctuation(doc)
    asks_what = len(words) > 2 and words[0].lower_ == "what" and is_be(words[1]) and words[-1].tag_ in _NOUN_TAGS
    asks_value = bool(opening & _QUANTITIES) or asks_what
    tenses = [{token.tag_ for token in clause if token.tag_ in _FINITE_TAGS} for clause in (doc, before)]
    return asks_value and not is_time(doc) and bool(tenses[0] & tenses[1])


def _append(question: str, phrase: str) -> str:
    if not phrase or phrase in question:
        return question
    return f"{question.rstrip('?')} {phrase}?"

"""Stable ids: hashes of what they identify, the same on every machine and in every run."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b


def stable_id(*parts: str | int) -> str:
    """Hash of the parts, in order, as 16 hex digits."""
    packed = "\x1f".join(str(part) for part in parts)
    return blake2b(packed.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def collection_id(name: str, nth: int = 0) -> str:
    """Id of a collection, by the name at its creation; ``nth``: how many collections created with it were renamed."""
    return stable_id("collection", name, nth) if nth else stable_id("collection", name)


def document_id(collection: str, name: str) -> str:
    """Id of a document, by its collection's id and its name."""
    return stable_id("document", collection, name)


def jsonl_file_id(collection: str, name: str) -> str:
    """Id of a JSONL file, by its collection's id and its name."""
    return stable_id("corpus", collection, name)


def row_document_id(corpus: str, title: str) -> str:
    """Id of a document formed by the rows of a JSONL file, by the file's id and the rows' title.

    It differs from that of a document with this name, and from that of another file's rows with this title.
    """
    return stable_id("row document", corpus, title)


def page_id(document: str, number: int) -> str:
    """Id of a page, by its document's id and its number."""
    return stable_id("page", document, number)


def text_ids(kind: str, document: str, texts: Iterable[str]) -> list[str]:
    """Ids of a document's passages or tables: (document, text, nth occurrence)."""
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        ids.append(stable_id(kind, document, text, seen[text]))
        seen[text] += 1
    return ids


def entity_id(collection: str, name: str) -> str:
    """Id of an entity, by its collection's id and its normalized name."""
    return stable_id("entity", collection, normalize_name(name))


def triple_id(evidence: str, subject: str, predicate: str, object_: str) -> str:
    """Id of a triple, by its evidence and its three names; the same triple in two passages has two ids."""
    return stable_id("triple", evidence, subject, predicate, object_)


def reference_id(evidence: str, start: int) -> str:
    """Id of an entry of a list of references, by the evidence that lists it and its position in the text."""
    return stable_id("reference", evidence, start)


_NOT_A_WORD = re.compile(r"[^\w]+", re.UNICODE)
_ARTICLE = re.compile(r"^(the|a|an)\s+")


def normalize_name(name: str) -> str:
    """Normalise a name, so that variants of the name of one entity are equal.

    Lower case, accents and possessive 's removed, every character that is no letter or digit replaced by a space, the
    leading article removed. A name of which nothing is left is only lower-cased.
    """
    plain = name.replace("'s ", " ").replace("’s ", " ")
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    words = _ARTICLE.sub("", _NOT_A_WORD.sub(" ", plain.casefold()).replace("_", " ").strip())
    return " ".join(words.split()) or name.casefold().strip()

import pytest

from hopline.flow.requests import Reply
from hopline.ids import entity_id, normalize_name
from hopline_ingest.extraction import Extraction, ExtractionInput, Mention, StatedTriple, SubjectEntity
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR, extract_with_llm
from hopline_ingest.extraction.records import InTextCitation, ListedReference
from hopline_ingest.extraction.rules import EXTRACTOR
from hopline_ingest.writing.entity_rows import (
    MAX_TABLE_TRIPLES,
    MAX_TRIPLES,
    EvidenceLocation,
    build_entity_rows,
    list_entity_keys,
    resolve_aliases,
    select_triples,
)

PLACES = {"p1": EvidenceLocation("c", "d1"), "p2": EvidenceLocation("c", "d1"), "p3": EvidenceLocation("c", "d2")}


def by_name(rows):
    return {row["name"]: row for row in rows.entities}


def test_names_that_differ_in_case_and_article_are_one_entity():
    rows = build_entity_rows(
        [
            Extraction("p1", "x", (Mention("the Skarv Bridge", "FAC"),)),
            Extraction("p2", "x", (Mention("SKARV BRIDGE", ""),)),
        ],
        PLACES,
        {},
    )
    [entity] = rows.entities
    assert entity["id"] == entity_id("c", "Skarv Bridge")
    assert entity["kind"] == "FAC"
    assert {row["evidence"] for row in rows.mentions} == {"p1", "p2"}


def test_an_alias_refers_to_its_name_within_the_document_only():
    defined = Extraction(
        "p1", "x", (Mention("World Health Organization", "ORG", ((0, 25),)), Mention("WHO", "ORG", ((27, 30),))),
        aliases=(("WHO", "World Health Organization"),),
    )  # fmt: skip
    later = Extraction("p2", "x", (Mention("WHO", "ORG", ((0, 3),)),))
    elsewhere = Extraction("p3", "x", (Mention("WHO", "ORG"),))
    aliases = resolve_aliases([("d1", *defined.aliases[0])])
    rows = build_entity_rows([defined, later, elsewhere], PLACES, aliases)
    full, short = entity_id("c", "World Health Organization"), entity_id("c", "WHO")
    assert {(row["evidence"], row["entity"]) for row in rows.mentions} == {("p1", full), ("p2", full), ("p3", short)}
    [first] = [row for row in rows.mentions if row["evidence"] == "p1"]
    assert first["spans"] == [0, 25, 27, 30]
    assert by_name(rows)["World Health Organization"]["aliases"] == ["WHO"]


def test_subjects_are_entities_and_common_nouns_are_the_text_of_triples():
    read = Extraction("p1", "x", about=(SubjectEntity("Orre", "title", 1.0), SubjectEntity("orre", "subject", 0.5)),
                      triples=(StatedTriple("Orre", "exports", "slate", (0, 20)),))  # fmt: skip
    rows = build_entity_rows([read], PLACES, {})
    assert {row["name"] for row in rows.entities} == {"Orre"}
    [about] = rows.about
    assert (about["by"], about["score"]) == ("title", 1.0)
    [triple] = rows.triples
    assert triple["subject_id"] == entity_id("c", "Orre")
    assert "object_id" not in triple
    assert triple["properties"]["text"] == "Orre exports slate"
    assert (triple["properties"]["start"], triple["properties"]["end"]) == (0, 20)


def test_the_same_triple_twice_in_a_passage_is_written_once():
    stated = StatedTriple("Orre", "exports", "slate")
    assert len(build_entity_rows([Extraction("p1", "given", triples=(stated, stated))], PLACES, {}).triples) == 1


def test_entities_are_sorted_so_that_writers_take_locks_in_one_order():
    rows = build_entity_rows(
        [Extraction("p1", "x", tuple(Mention(name, "") for name in ["zebra", "ant", "mole"]))], PLACES, {}
    )
    assert [row["id"] for row in rows.entities] == sorted(row["id"] for row in rows.entities)


def test_normalized_names_drop_case_accents_punctuation_and_article():
    assert normalize_name("The  São-Tomé “Bank”") == "sao tome bank"
    assert normalize_name("An Apple a Day") == "apple a day"
    assert normalize_name("???") == "???"


def test_triples_between_common_nouns_are_left_out_and_names_at_both_ends_come_first():
    mentions = (Mention("Ingrid Vale", "PERSON"), Mention("Orre", "GPE"), Mention("slate", "NOUN"))
    common = StatedTriple("roofs", "need", "slate", (0, 9))
    one_end = StatedTriple("Orre", "exports", "slate", (10, 20))
    both = StatedTriple("Ingrid Vale", "visited", "Orre", (21, 40))
    extraction = Extraction("p1", "x", mentions, triples=(common, one_end, both))
    assert select_triples(extraction, list_entity_keys(extraction)) == [both, one_end]


def test_only_triples_of_the_rules_are_limited_in_number():
    many = tuple(StatedTriple("Orre", "has", f"thing {n}", (n, n + 1)) for n in range(30))
    mentions = (Mention("Orre", "GPE"),)

    def count_triples(extractor):
        return len(build_entity_rows([Extraction("p1", extractor, mentions, triples=many)], PLACES, {}).triples)

    assert count_triples(EXTRACTOR) == MAX_TRIPLES
    assert [count_triples(extractor) for extractor in ("given", MODEL_EXTRACTOR)] == [len(many)] * 2


def test_the_graph_has_all_triples_of_a_model_in_the_order_of_its_reply():
    triples = [
        {"subject": "slate", "predicate": f"has grade {n}", "object": "thickness" if n % 2 else "Orre"}
        for n in range(20)
    ]
    data = {"entities": ["slate", "thickness"], "triples": triples}
    passage = ExtractionInput("p1", "passage", "Slate has a thickness.")
    flow = extract_with_llm([passage], lambda inputs: [Extraction("p1", EXTRACTOR, (Mention("slate", "NOUN"),))])
    next(flow)
    with pytest.raises(StopIteration) as stop:
        flow.send([Reply("", data)])
    rows = build_entity_rows(stop.value.value, PLACES, {})
    assert [row["properties"]["text"] for row in rows.triples] == [" ".join(triple.values()) for triple in triples]


def test_only_names_are_entities():
    mentions = (Mention("Orre", "GPE"), Mention("slate roofs", "NOUN"), Mention("1931", "DATE"))
    rows = build_entity_rows([Extraction("p1", "x", mentions)], PLACES, {})
    assert [row["name"] for row in rows.entities] == ["Orre"]
    assert [row["entity"] for row in rows.mentions] == [entity_id("c", "Orre")]


def test_everything_that_is_given_is_an_entity():
    stated = StatedTriple("slate", "has", "thickness")
    rows = build_entity_rows([Extraction("p1", "given", (Mention("slate", ""),), triples=(stated,))], PLACES, {})
    assert {row["name"] for row in rows.entities} == {"slate", "thickness"}
    [triple] = rows.triples
    assert (triple["subject_id"], triple["object_id"]) == (entity_id("c", "slate"), entity_id("c", "thickness"))


def test_references_and_the_keys_of_citations_are_written():
    cites = Extraction("p1", "x", citations=(InTextCitation(("vale 1931",), (0, 9)), InTextCitation((), (12, 20))))
    lists = Extraction("p2", "x", references=(ListedReference("vale 1931", "", "Vale, I", "1931", "Slate", (0, 30)),))
    rows = build_entity_rows([cites, lists], PLACES, {})
    assert [row["citations"] for row in rows.extractions] == [["vale 1931"], None]
    [reference] = rows.references
    assert reference["evidence"] == "p2"
    assert (reference["properties"]["name"], reference["properties"]["key"]) == ("Slate", "vale 1931")


def test_a_table_keeps_the_triples_of_its_first_rows():
    many = tuple(StatedTriple(f"row {n}", "cost", "3") for n in range(99))
    names = tuple(Mention(f"row {n}", "NAME") for n in range(99))
    rows = build_entity_rows(
        [Extraction("t", "x", names, triples=many)], {"t": EvidenceLocation("c", "d", table=True)}, {}
    )
    assert [row["properties"]["subject"] for row in rows.triples] == [f"row {n}" for n in range(MAX_TABLE_TRIPLES)]


def test_an_alias_refers_to_its_most_frequent_name_in_any_order():
    pairs = [("d", "HF", "Halm Fishing"), ("d", "HF", "Halm Ferries"), ("d", "hf", "Halm Ferries"), ("d", "X", "x")]
    assert resolve_aliases(pairs) == resolve_aliases(pairs[::-1]) == {("d", "hf"): "Halm Ferries"}
    assert resolve_aliases(pairs[:2]) == {("d", "hf"): "Halm Ferries"}

"""Pairs of similar names, found among a few names and among many."""

import time

from hopline.entities.linking import EntityName
from hopline.entities.name_similarity import find_similar_names


def name(text, kind="PERSON", mentioned=1, *aliases):
    return EntityName(text, text, aliases, kind, mentioned)


def pairs(*names):
    return [(item.source.name, item.target.name) for item in find_similar_names(names)]


def test_a_last_name_is_paired_with_the_only_person_of_that_name():
    assert pairs(name("Kerrigan", mentioned=9), name("Maud Kerrigan")) == [("Kerrigan", "Maud Kerrigan")]
    assert pairs(name("Kerrigan"), name("Maud Kerrigan"), name("Tom Kerrigan")) == []
    assert pairs(name("Kerrigan"), name("Kerrigan Bay", "GPE")) == []


def test_the_first_word_of_a_company_is_paired_if_it_is_unique():
    assert pairs(name("Tidewell", "ORG"), name("Tidewell Utilities", "ORG")) == [("Tidewell", "Tidewell Utilities")]
    assert pairs(name("Tidewell", "ORG"), name("Tidewell Utilities", "ORG"), name("Tidewell Bank", "ORG")) == []


def test_initials_are_paired_with_the_full_name():
    assert pairs(name("LMB", "ORG", 5), name("Lantern Mutual Bank", "ORG")) == [("LMB", "Lantern Mutual Bank")]
    assert pairs(name("B.o.E.", "ORG"), name("Bank of England", "ORG")) == []
    assert pairs(name("U.N.", "ORG"), name("United Nations", "ORG")) == [("U.N.", "United Nations")]


def test_titles_and_legal_forms_are_ignored_and_the_more_mentioned_name_is_the_target():
    assert pairs(name("Dr. Amara Diallo", mentioned=1), name("Amara Diallo", mentioned=4)) == [
        ("Dr. Amara Diallo", "Amara Diallo")
    ]
    assert pairs(name("Varrow Ferries", "ORG", 1), name("Varrow Ferries plc", "ORG", 7)) == [
        ("Varrow Ferries", "Varrow Ferries plc")
    ]


def test_an_alias_in_a_document_is_the_best_reason():
    suggestions = find_similar_names(
        [name("The Petrel", "PRODUCT"), name("MV Petrel", "PRODUCT", 3, "Petrel", "the Petrel")]
    )
    assert [(item.source.name, item.target.name, item.reason) for item in suggestions] == [
        ("The Petrel", "MV Petrel", "alias in a document")
    ]


def test_a_far_more_frequent_name_is_no_short_form_unless_it_is_an_acronym():
    assert pairs(name("India", "ORG", 90), name("Army in India", "ORG", 2, "India")) == []
    assert pairs(name("FAA", "ORG", 90), name("Federal Aviation Administration", "ORG", 2, "FAA")) == [
        ("FAA", "Federal Aviation Administration")
    ]


def test_similar_spellings_are_paired_unless_their_digits_differ():
    assert pairs(name("Kestrel Quai", "FAC"), name("Kestrel Quay", "FAC", 2)) == [("Kestrel Quai", "Kestrel Quay")]
    assert pairs(name("Block Seven A1", "FAC"), name("Block Seven A2", "FAC")) == []
    assert pairs(name("Kestrel Quai", "FAC"), name("Kestrel Quay", "PERSON", 2)) == []


def test_a_pair_is_returned_once_with_its_best_reason():
    suggestions = find_similar_names([name("Kerrigan", "PERSON", 2), name("Maud Kerrigan", "PERSON", 3, "Kerrigan")])
    assert [(item.reason, item.score) for item in suggestions] == [("alias in a document", 0.95)]


def test_fifty_thousand_names_take_seconds_not_minutes():
    many = [EntityName(str(n), f"Person{n % 997} Lastname{n}", (), "PERSON", 1) for n in range(50_000)]
    start = time.perf_counter()
    find_similar_names(many)
    assert time.perf_counter() - start < 20

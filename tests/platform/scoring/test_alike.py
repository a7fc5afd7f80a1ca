"""Which of a handful of names are held to be the same."""

import time

from hopline.entities.linking import Name
from hopline.entities.name_similarity import alike


def name(text, kind="PERSON", mentioned=1, *aliases):
    return Name(text, text, aliases, kind, mentioned)


def pairs(*names):
    return [(one.source.name, one.target.name) for one in alike(names)]


def test_a_last_name_leads_to_the_only_person_who_bears_it():
    assert pairs(name("Kerrigan", mentioned=9), name("Maud Kerrigan")) == [("Kerrigan", "Maud Kerrigan")]
    assert pairs(name("Kerrigan"), name("Maud Kerrigan"), name("Tom Kerrigan")) == []
    assert pairs(name("Kerrigan"), name("Kerrigan Bay", "GPE")) == []


def test_the_first_word_of_a_company_is_its_short_form_where_no_other_begins_so():
    assert pairs(name("Tidewell", "ORG"), name("Tidewell Utilities", "ORG")) == [("Tidewell", "Tidewell Utilities")]
    assert pairs(name("Tidewell", "ORG"), name("Tidewell Utilities", "ORG"), name("Tidewell Bank", "ORG")) == []


def test_initials_lead_to_the_name_in_full():
    assert pairs(name("LMB", "ORG", 5), name("Lantern Mutual Bank", "ORG")) == [("LMB", "Lantern Mutual Bank")]
    assert pairs(name("B.o.E.", "ORG"), name("Bank of England", "ORG")) == []
    assert pairs(name("U.N.", "ORG"), name("United Nations", "ORG")) == [("U.N.", "United Nations")]


def test_forms_of_address_and_of_companies_make_no_other_name_and_the_better_known_one_stays():
    assert pairs(name("Dr. Amara Diallo", mentioned=1), name("Amara Diallo", mentioned=4)) == [
        ("Dr. Amara Diallo", "Amara Diallo")
    ]
    assert pairs(name("Varrow Ferries", "ORG", 1), name("Varrow Ferries plc", "ORG", 7)) == [
        ("Varrow Ferries", "Varrow Ferries plc")
    ]


def test_what_a_document_calls_a_thing_comes_first():
    found = alike([name("The Petrel", "PRODUCT"), name("MV Petrel", "PRODUCT", 3, "Petrel", "the Petrel")])
    assert [(one.source.name, one.target.name, one.reason) for one in found] == [
        ("The Petrel", "MV Petrel", "a document calls it so")
    ]


def test_a_name_that_is_far_better_known_is_no_short_form_of_a_rare_one_unless_it_is_its_initials():
    assert pairs(name("India", "ORG", 90), name("Army in India", "ORG", 2, "India")) == []
    assert pairs(name("FAA", "ORG", 90), name("Federal Aviation Administration", "ORG", 2, "FAA")) == [
        ("FAA", "Federal Aviation Administration")
    ]


def test_nearly_the_same_letters_are_the_same_but_figures_tell_names_apart():
    assert pairs(name("Kestrel Quai", "FAC"), name("Kestrel Quay", "FAC", 2)) == [("Kestrel Quai", "Kestrel Quay")]
    assert pairs(name("Block Seven A1", "FAC"), name("Block Seven A2", "FAC")) == []
    assert pairs(name("Kestrel Quai", "FAC"), name("Kestrel Quay", "PERSON", 2)) == []


def test_a_pair_is_told_once_for_its_best_reason():
    found = alike([name("Kerrigan", "PERSON", 2), name("Maud Kerrigan", "PERSON", 3, "Kerrigan")])
    assert [(one.reason, one.score) for one in found] == [("a document calls it so", 0.95)]


def test_fifty_thousand_names_take_seconds_not_minutes():
    many = [Name(str(n), f"Person{n % 997} Lastname{n}", (), "PERSON", 1) for n in range(50_000)]
    begun = time.perf_counter()
    alike(many)
    assert time.perf_counter() - begun < 20

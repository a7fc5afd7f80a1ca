"""Facets of documents."""

from hopline.metadata.facets import Facet, FacetValue, compute_facets
from hopline.metadata.values import Metadata


def test_each_key_has_its_values_by_count():
    documents: list[Metadata] = [
        {"tag": ("risk", "loans"), "year": 2024},
        {"tag": "risk", "year": 2020},
        {"tag": "audit"},
    ]
    assert compute_facets(documents, limit=2) == [
        Facet("tag", "text", 3, 3, (FacetValue("risk", 2), FacetValue("audit", 1))),
        Facet("year", "number", 2, 2, (FacetValue(2020, 1), FacetValue(2024, 1)), 2020, 2024),
    ]


def test_dates_have_a_minimum_and_a_maximum_and_mixed_kinds_are_texts():
    documents: list[Metadata] = [{"day": "2024-03-01", "x": 1}, {"day": "2021-01-01", "x": True}, {"x": "1"}]
    day, x = compute_facets(documents, limit=5)
    assert (day.kind, day.minimum, day.maximum) == ("date", "2021-01-01", "2024-03-01")
    assert (x.kind, x.distinct, x.minimum) == ("text", 3, None)

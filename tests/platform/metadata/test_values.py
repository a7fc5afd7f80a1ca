"""Values of metadata: what is accepted, what is refused, and how layers and rows are combined."""

from datetime import date, datetime

import pytest

from hopline.errors import UsageError
from hopline.metadata.values import (
    Metadata,
    MetadataChange,
    check_metadata,
    combine_layers,
    decode_metadata,
    encode_metadata,
    get_kind,
    parse_assignments,
    parse_scalar,
    unite_metadata,
)


def test_values_of_every_kind_are_kept_with_lists_as_tuples():
    metadata = {"year": 2024, "rate": 0.5, "draft": False, "tag": ["risk", 7], "Größe.x-y_1": "a"}
    assert check_metadata(metadata) == {**metadata, "tag": ("risk", 7)}


def test_a_date_becomes_its_iso_text():
    checked = check_metadata({"day": date(2024, 3, 1), "days": [datetime(2024, 3, 2, 9)]})  # noqa: DTZ001
    assert checked == {"day": "2024-03-01", "days": ("2024-03-02",)}
    assert [get_kind(text) for text in ("2024-03-01", "2024-13-01", "2024")] == ["date", "text", "text"]


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ([1], "must be a mapping"),
        ({"a b": 1}, "a key has 1 to 64 letters"),
        ({"": 1}, "a key has 1 to 64 letters"),
        ({"k" * 65: 1}, "a key has 1 to 64 letters"),
        ({7: 1}, "a key has 1 to 64 letters"),
        ({f"k{n}": n for n in range(101)}, "at most 100 keys"),
        ({"a": "x" * 1001}, "a: a text has at most 1,000 characters"),
        ({"a": list(range(101))}, "a: a list has 1 to 100 values"),
        ({"a": []}, "a: a list has 1 to 100 values"),
        ({"a": {"b": 1}}, "a must be a text, number, date, boolean or a list"),
        ({"a": [[1]]}, "a must be a text, number, date, boolean or a list"),
        ({"a": float("nan")}, "a must be a text, number"),
        ({"a": 2**63}, "a must be a text, number"),
    ],
)
def test_what_is_beyond_a_limit_is_refused(metadata, message):
    with pytest.raises(UsageError, match=message):
        check_metadata(metadata)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024", 2024), ("-1.5", -1.5), ("1e3", 1000.0), ("true", True), ("False", False), ("007", "007"),
        ('"2024"', "2024"), ("'true'", "true"), ("2024-03-01", "2024-03-01"), ("1e999", "1e999"), ("", ""),
    ],
)  # fmt: skip
def test_a_word_is_converted_to_what_it_means(text, value):
    parsed = parse_scalar(text)
    assert (parsed, type(parsed)) == (value, type(value))


def test_a_repeated_key_is_a_list():
    assert parse_assignments(["year=2024", "tag=risk", "tag=loans", "note=a=b"]) == {
        "year": 2024, "tag": ("risk", "loans"), "note": "a=b",
    }  # fmt: skip


def test_an_assignment_without_a_value_is_refused():
    with pytest.raises(UsageError, match="KEY=VALUE"):
        parse_assignments(["year"])


def test_encoded_metadata_is_the_same_after_decoding():
    metadata: MetadataChange = {"year": 2024, "tag": ("risk", True, 1.5), "gone": None, "name": "Å"}
    assert decode_metadata(encode_metadata(metadata)) == metadata
    assert (encode_metadata({}), decode_metadata(""), decode_metadata(None)) == ("", {}, {})


def test_a_later_layer_replaces_and_removes_keys():
    assert combine_layers({"a": 1, "b": 1, "c": 1}, {"a": 2, "b": None}, {"d": 3}) == {"a": 2, "c": 1, "d": 3}


def test_different_values_of_rows_become_a_list():
    rows: list[Metadata] = [
        {"year": 2024, "tag": "risk"},
        {"year": 2024, "tag": ("loans", "risk")},
        {"year": True, "one": ("x",)},
    ]
    assert unite_metadata(rows) == {"year": (2024, True), "tag": ("risk", "loans"), "one": ("x",)}

"""Conversion of a JSON value to a schema that it nearly fits, as models differ in small matters of form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jsonschema.protocols import Validator

PROPERTY_SYNONYMS: Final = {
    "named_entities": "entities",
    "relations": "triples",
    "facts": "triples",
    "relation": "predicate",
    "verb": "predicate",
    "head": "subject",
    "tail": "object",
    "quotes": "citations",
}
_TEXT_PROPERTIES: Final = ("name", "text")  # of an object where a string is wanted
_VERDICTS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_CONTAINERS: Final = frozenset({"array", "object"})


def coerce_value(value: Any, validator: Validator) -> Any:
    """Return a value converted to the schema of a validator; what cannot be converted is returned as it is.

    A value that fits is returned equal, but with whole floats as integers where the schema wants integers. Array items
    that do not fit are dropped; so are properties that are not in the schema, or that do not fit and are not required.
    An object with one of its required properties gets an empty array or string for others that are missing or unfit. A
    text where an object is wanted is its only required text.
    """
    schema = get_schema(validator)
    if "enum" in schema:
        return _coerce_enum(value, schema["enum"])
    wanted = schema.get("type")
    types = [wanted] if isinstance(wanted, str) else wanted or []
    matching = [name for name in types if validator.is_type(value, name)]
    for name in matching or types:
        convert = _CONVERSIONS.get(name)
        coerced = convert(value, validator) if convert else value
        if validator.is_type(coerced, name):
            return coerced
    return value


def get_schema(validator: Validator) -> Mapping[str, Any]:
    """Return the schema of a validator; empty if it is true or false, which JSON schemas may be."""
    return validator.schema if isinstance(validator.schema, Mapping) else {}


def _coerce_enum(value: Any, options: Sequence[Any]) -> Any:
    if value in options:
        return value
    text = str(value).strip().casefold()
    return next((option for option in options if str(option).casefold() == text), value)


def _coerce_integer(value: Any, _: Validator) -> Any:
    try:
        number = int(value.strip(" []()#.")) if isinstance(value, str) else value
        is_whole = isinstance(number, int | float) and not isinstance(number, bool) and number == int(number)
    except (ValueError, OverflowError):
        return value
    return int(number) if is_whole else value


def _coerce_number(value: Any, _: Validator) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _coerce_boolean(value: Any, _: Validator) -> Any:
    return _VERDICTS.get(str(value).strip().casefold(), value) if value is not None else False


def _coerce_string(value: Any, validator: Validator) -> Any:
    match value:
        case None:
            return ""
        case bool() | int() | float():
            return json.dumps(value)
        case Mapping():
            texts = (value.get(name) for name in _TEXT_PROPERTIES)
            return next((text for text in texts if isinstance(text, str)), value)
        case [item] if not isinstance(item, list):
            return _coerce_string(item, validator)
        case _:
            return value


def _coerce_array(value: Any, validator: Validator) -> Any:
    schema = get_schema(validator)
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    if "items" in schema and "prefixItems" not in schema:
        item_validator = validator.evolve(schema=schema["items"])
        coerced = [coerce_value(_name_values(item, schema["items"]), item_validator) for item in items]
        items = [item for item in coerced if item_validator.is_valid(item)]
    return items[: schema.get("maxItems")]


def _name_values(item: Any, schema: Any) -> Any:
    """Return a list of as many values as an object has required properties, none of them a container, as that object.

    Models write the triples of a list as lists or tuples.
    """
    if not isinstance(item, list) or not isinstance(schema, Mapping) or schema.get("type") != "object":
        return item
    required, properties = schema.get("required", []), schema.get("properties", {})
    is_flat = all(properties.get(name, {}).get("type") not in _CONTAINERS for name in required)
    return dict(zip(required, item, strict=True)) if is_flat and len(item) == len(required) else item


def _coerce_object(value: Any, validator: Validator) -> Any:
    schema = get_schema(validator)
    properties = schema.get("properties", {})
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
        value = value[0]
    if isinstance(value, str) and (name := _find_only_text(schema)):
        value = {name: value}
    if not isinstance(value, Mapping):
        return value
    coerced: dict[str, Any] = {}
    unfit: dict[str, Any] = {}
    for name, content in _rename_properties(value, properties).items():
        if content is None and name in properties and name not in schema.get("required", []):
            continue
        if name in properties:
            property_validator = validator.evolve(schema=properties[name])
            converted = coerce_value(content, property_validator)
            (coerced if property_validator.is_valid(converted) else unfit)[name] = converted
        elif schema.get("additionalProperties") is not False or "patternProperties" in schema:
            coerced[name] = content
    required = schema.get("required", [])
    if not coerced.keys().isdisjoint(required):
        empty = {name: _build_empty(properties.get(name)) for name in required if name not in coerced}
        coerced |= {name: content for name, content in empty.items() if content is not None}
    return coerced | {name: content for name, content in unfit.items() if name in required and name not in coerced}


def _find_only_text(schema: Mapping[str, Any]) -> str:
    """Return the only required property of an object that is a text; "" if there are none or several."""
    properties = schema.get("properties", {})
    texts = [name for name in schema.get("required", []) if properties.get(name, {}).get("type") == "string"]
    return texts[0] if len(texts) == 1 else ""


def _rename_properties(value: Mapping[Any, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with its properties named as in the schema, where that has no property of their own name."""
    renamed: dict[str, Any] = {}
    for key, content in value.items():
        name = str(key)
        lower = name.strip().lower()
        other = PROPERTY_SYNONYMS.get(lower, lower)
        is_free = name not in properties and other in properties and other not in value
        renamed[other if is_free else name] = content
    return renamed


def _build_empty(schema: Any) -> Any:
    """Return the empty array or string of a schema; None if it is of another type, or the value may not be empty."""
    if not isinstance(schema, Mapping) or "enum" in schema or schema.get("minLength") or schema.get("minItems"):
        return None
    return {"array": [], "string": ""}.get(str(schema.get("type")))


_CONVERSIONS: Final[Mapping[str, Callable[[Any, Validator], Any]]] = {
    "integer": _coerce_integer,
    "number": _coerce_number,
    "boolean": _coerce_boolean,
    "string": _coerce_string,
    "array": _coerce_array,
    "object": _coerce_object,
}

"""Encoding of requests and answers as data that JSON can hold, and decoding."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from hopline.flow.requests import Hits, Reply


def encode(value: Any) -> Any:
    """Encode a value as plain data: arrays as base64 with type and shape, tuples as lists, sets sorted."""
    match value:
        case np.ndarray():
            packed = b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
            plain: Any = {"$array": packed, "type": value.dtype.str, "shape": list(value.shape)}
        case np.generic():
            plain = value.item()
        case Hits(ids, scores):
            plain = {"$hits": list(ids), "scores": [float(score) for score in scores]}
        case Reply():
            plain = {"$reply": {field.name: encode(getattr(value, field.name)) for field in fields(value)}}
        case Mapping():
            plain = {str(key): encode(item) for key, item in value.items()}
        case list() | tuple():
            plain = [encode(item) for item in value]
        case set() | frozenset():
            plain = sorted(encode(item) for item in value)
        case _:
            plain = value
    return plain


def decode(value: Any) -> Any:
    """Decode a value that `encode` made; tuples come back as lists."""
    match value:
        case {"$array": packed, "type": kind, "shape": shape}:
            return np.frombuffer(b64decode(packed), dtype=np.dtype(kind)).reshape(shape)
        case {"$hits": ids, "scores": scores}:
            return Hits(tuple(ids), tuple(scores))
        case {"$reply": reply}:
            return Reply(**decode(reply))
        case dict():
            return {key: decode(item) for key, item in value.items()}
        case list():
            return [decode(item) for item in value]
        case _:
            return value

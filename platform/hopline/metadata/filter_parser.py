"""The parser of filter expressions: ``year >= 2020 and (tag in [risk, loans] or not status = "in draft")``.

    expression   = conjunction { "or" conjunction }
    conjunction  = negation { "and" negation }
    negation     = "not" negation | "(" expression ")" | "exists" "(" key ")" | condition
    condition    = key "exists" | key ["not"] "in" "[" value { "," value } "]" | key sign value | key "contains" value
    sign         = "=" | "!=" | "<" | "<=" | ">" | ">="

A key or a value is a word, or a text in single or double quotes, in which a backslash stands before a quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, cast

from hopline.errors import UsageError
from hopline.metadata.filter_expression import (
    Conjunction,
    Disjunction,
    Expression,
    HasKey,
    KeyComparison,
    KeyName,
    LiteralValue,
    Negation,
    Operator,
)
from hopline.metadata.values import parse_scalar
from hopline.text_encoding import normalize_text

MAX_LENGTH: Final = 20_000  # characters of a filter
MAX_DEPTH: Final = 100  # of parentheses and negations

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<sign><=|>=|!=|==|=|<|>)"""
    r"""|(?P<mark>[()\[\],])|(?P<word>[^\s()\[\],"'<>=!]+)""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_KEYWORDS: Final = frozenset({"and", "or", "not", "in", "contains", "exists"})
_CONDITION: Final = "=, !=, <, <=, >, >=, in, contains or exists"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["text", "sign", "mark", "word", "end"]
    text: str  # of a text in quotes: what is between them
    position: int

    @property
    def keyword(self) -> str:
        """The keyword or the mark that it is; "" for a key or value."""
        word = self.text.lower()
        return word if self.kind == "mark" or (self.kind == "word" and word in _KEYWORDS) else ""


def parse_filter(text: str) -> Expression:
    """Parse a filter.

    Raises:
        UsageError: it is not a filter; says where, what was expected and what was there.
    """
    if not isinstance(text, str):
        raise UsageError(f"a filter is a text such as 'year >= 2020' (got {text!r:.80})")
    if len(text) > MAX_LENGTH:
        raise UsageError(f"a filter has at most {MAX_LENGTH:,} characters (got {len(text):,})")
    parser = _Parser(_tokenize(normalize_text(text)))
    expression = parser.parse_expression(0)
    parser.expect_end()
    return expression


def _tokenize(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            wanted = "a closing quote" if text[position] in "\"'" else f"a key, a value, {_CONDITION}"
            raise _make_error(wanted, text[position:], position)
        kind, piece = cast("Literal['text', 'sign', 'mark', 'word']", match.lastgroup), match.group()
        if kind == "text":
            piece = _ESCAPE.sub(r"\1", piece[1:-1])
        if match.lastgroup != "space":
            tokens.append(_Token(kind, "=" if piece == "==" and kind == "sign" else piece, position))
        position = match.end()
    return [*tokens, _Token("end", "", len(text))]


def _make_error(wanted: str, text: str, position: int) -> UsageError:
    got = f"{text!r:.40}" if text else "the end"
    return UsageError(f"the filter cannot be read at character {position + 1}: expected {wanted}; got {got}")


class _Parser:
    """Parses tokens by recursive descent."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._index = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._index]

    def _take(self) -> _Token:
        token = self._next
        self._index += token.kind != "end"
        return token

    def _skip(self, keyword: str) -> bool:
        """Skip a keyword or mark if it is the next token; return whether it was."""
        if self._next.keyword != keyword:
            return False
        self._take()
        return True

    def _expect(self, mark: str) -> None:
        if not self._skip(mark):
            raise self._error(f"{mark!r}")

    def expect_end(self) -> None:
        if self._next.kind != "end":
            raise self._error("'and', 'or' or the end")

    def _error(self, wanted: str) -> UsageError:
        return _make_error(wanted, self._next.text, self._next.position)

    def parse_expression(self, depth: int) -> Expression:
        parts = [self._parse_conjunction(depth)]
        while self._skip("or"):
            parts.append(self._parse_conjunction(depth))
        return parts[0] if len(parts) == 1 else Disjunction(tuple(parts))

    def _parse_conjunction(self, depth: int) -> Expression:
        parts = [self._parse_negation(depth)]
        while self._skip("and"):
            parts.append(self._parse_negation(depth))
        return parts[0] if len(parts) == 1 else Conjunction(tuple(parts))

    def _parse_negation(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise self._error(f"at most {MAX_DEPTH} nested parentheses and negations")
        if self._skip("not"):
            return Negation(self._parse_negation(depth + 1))
        if self._skip("("):
            inner = self.parse_expression(depth + 1)
            self._expect(")")
            return inner
        if self._skip("exists"):
            self._expect("(")
            key = self._parse_key()
            self._expect(")")
            return HasKey(key)
        return self._parse_condition()

    def _parse_condition(self) -> Expression:
        key = self._parse_key()
        if self._skip("exists"):
            return HasKey(key)
        if self._skip("contains"):
            return KeyComparison(key, "contains", (self._parse_value(),))
        if self._skip("not"):
            if self._next.keyword != "in":
                raise self._error("'in'")
            return Negation(self._parse_condition_in(key))
        if self._next.keyword == "in":
            return self._parse_condition_in(key)
        if self._next.kind != "sign":
            raise self._error(_CONDITION)
        return KeyComparison(key, cast("Operator", self._take().text), (self._parse_value(),))

    def _parse_condition_in(self, key: KeyName) -> KeyComparison:
        self._take()
        self._expect("[")
        values = [self._parse_value()]
        while self._skip(","):
            values.append(self._parse_value())
        if not self._skip("]"):
            raise self._error("',' or ']'")
        return KeyComparison(key, "in", tuple(values))

    def _parse_key(self) -> KeyName:
        if self._next.kind not in {"word", "text"} or self._next.keyword:
            raise self._error("a key such as year, 'not', 'exists' or '('")
        token = self._take()
        return KeyName(token.text, token.position)

    def _parse_value(self) -> LiteralValue:
        if self._next.kind not in {"word", "text"} or self._next.keyword:
            raise self._error('a value such as 2024, 2024-03-01, true or "a text"')
        token = self._take()
        return LiteralValue(token.text if token.kind == "text" else parse_scalar(token.text), token.text)

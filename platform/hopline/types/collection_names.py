"""What may be the name of a collection."""

from __future__ import annotations

from hopline.errors import UsageError
from hopline.surrogates import replace_surrogates


def check_collection(name: object) -> str:
    """The name as it came.

    Raises:
        UsageError: it is no text, blank, or holds what UTF-8 cannot encode.
    """
    if not isinstance(name, str):
        raise UsageError(f"a collection's name is a text such as 'loans' (got {name!r})")
    if not name.strip():
        raise UsageError(f"a collection needs a name such as 'loans' (got {name!r})")
    if name != replace_surrogates(name):
        raise UsageError(f"a collection's name must be text that UTF-8 can encode (got {name!r})")
    return name

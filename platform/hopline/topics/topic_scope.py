"""The part of a collection whose themes are those expected of an answer: theme-scoped retrieval of RAS."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from hopline.errors import UsageError
from hopline.flow.requests import Among, Flow, Vector, fetch, infer

_SET: Final = re.compile(r"^[a-z][a-z0-9_]{0,50}$")


def theme_property(themes: str) -> str:
    """The property, and the end of the index's name, of a set of themes.

    Raises:
        UsageError: no set can have this name.
    """
    if not _SET.match(themes):
        raise UsageError(f"a set of themes is named by small letters, digits and _ (got {themes!r})")
    return f"themes_{themes}"


@dataclass(slots=True)
class ThemeScope:
    """Where sub-questions of one question look: ``scope`` and ``mix`` as in `hopline.flow.requests.Among`."""

    scope: float
    mix: float
    _themes: str | None = field(default=None, init=False)

    def of(self, vector: Vector) -> Flow[Among | None]:
        """What a search for a sub-question of this vector is limited to; None where the collection has no themes.

        Raises:
            UsageError: the themes' weights are not on this machine; says how to make them.
        """
        themes = yield from self.themes()
        if not themes:
            return None
        [expected] = yield infer(f"themes/{themes}", vectors=vector[None], expected=True)
        return Among(theme_property(themes), expected, self.scope, self.mix)

    def themes(self) -> Flow[str]:
        """The set that is looked within, asked for once; "" where the collection has none or ``scope`` is 0."""
        if not self.scope:
            return ""
        if self._themes is None:
            columns = yield fetch("themes/of_collection")
            self._themes = columns["themes"][0] if columns["themes"] else ""
        return self._themes

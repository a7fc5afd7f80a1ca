"""The console of all terminal output: control characters of the printed texts do not reach the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from hopline.text_encoding import remove_control_characters


class TerminalConsole(Console):
    """A rich console that removes control characters from texts; its own styles and cursor movements remain."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments, those of text without control characters."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=remove_control_characters(segment.text))

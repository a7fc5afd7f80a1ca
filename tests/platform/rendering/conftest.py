import io
from collections.abc import Callable

import pytest
from rich.console import Console


class Screen(Console):
    """A console that keeps what is drawn on it; a sign that its encoding lacks is an error."""

    def __init__(self, width: int = 80, *, encoding: str = "utf-8", terminal: bool = False) -> None:
        self.kept = io.BytesIO()
        file = io.TextIOWrapper(self.kept, encoding=encoding, errors="strict", write_through=True)
        super().__init__(file=file, width=width, force_terminal=terminal, color_system=None, legacy_windows=False)

    @property
    def text(self) -> str:
        """What was drawn, without the spaces at the ends of lines."""
        drawn = self.kept.getvalue().decode(self.encoding)
        return "\n".join(line.rstrip() for line in drawn.splitlines())


@pytest.fixture
def screen() -> Callable[..., Screen]:
    return Screen

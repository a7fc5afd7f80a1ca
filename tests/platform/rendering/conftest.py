import io
from collections.abc import Callable

import pytest
from rich.console import Console


class Screen(Console):
    """Console that records its output; characters that its encoding lacks are an error."""

    def __init__(self, width: int = 80, *, encoding: str = "utf-8", terminal: bool = False) -> None:
        self.buffer = io.BytesIO()
        file = io.TextIOWrapper(self.buffer, encoding=encoding, errors="strict", write_through=True)
        super().__init__(file=file, width=width, force_terminal=terminal, color_system=None, legacy_windows=False)

    @property
    def text(self) -> str:
        """The output without trailing spaces."""
        output = self.buffer.getvalue().decode(self.encoding)
        return "\n".join(line.rstrip() for line in output.splitlines())


@pytest.fixture
def screen() -> Callable[..., Screen]:
    return Screen

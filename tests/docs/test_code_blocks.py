"""Every code block of the README and of the documentation runs, page by page, as a reader would run it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from code_blocks import NOT_CODE, Runner, blocks_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
REASONS = (
    "installs",
    "starts a server",
    "needs Docker",
    "opens a browser",
    "needs an external server",
    "runs the tests",
)

pytestmark = [pytest.mark.timeout(1800), pytest.mark.xdist_group("commands")]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if "```" in page.read_text(encoding="utf-8")], ids=name_of)
def test_every_code_block_of_a_page_runs(page: Path, runner: Callable[[str], Runner]) -> None:
    blocks = [block for block in blocks_of(page.read_text(encoding="utf-8")) if block.language not in NOT_CODE]
    run = runner(name_of(page))
    for block in blocks:
        if not block.reason:
            run.run(block, name_of(page))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_block_that_is_not_run_says_why(page: Path) -> None:
    for block in blocks_of(page.read_text(encoding="utf-8")):
        assert not block.reason or block.reason.startswith(REASONS), f"{name_of(page)}:{block.line}: {block.reason}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_fence_names_its_language(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(list(blocks_of(text))) * 2 == sum(line.strip().startswith("```") for line in text.splitlines())

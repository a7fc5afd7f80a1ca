"""Parsing of one PDF's pages by several processes; a page that crashes its process does not affect the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock

from hopline_ingest.formats.pdf.page_content import PageContent
from hopline_ingest.sandbox.limits import MAX_CHARACTERS, PAGE_SECONDS
from hopline_ingest.sandbox.parser_processes import ParserProcessPool, ProcessDied
from hopline_ingest.sandbox.tasks import Failed, FileTask

OnPage = Callable[[int, int], None]  # (pages done, pages in total)
_MAX_PAGES_PER_TASK = 12  # per task
_MAX_CRASHES = 20  # pages that crash their process; beyond it the rest of the file is skipped


class PdfJob:
    """The parsing of one PDF; `parse_pages` is called for each range of pages, from any thread."""

    def __init__(self, processes: ParserProcessPool, task: FileTask, total: int, on_page: OnPage | None) -> None:
        self._processes = processes
        self._task = task
        self._total = total
        self._on_page = on_page
        self._done = self._crashes = self._characters = 0
        self._lock = Lock()

    def parse_pages(self, numbers: Sequence[int]) -> list[PageContent]:
        """Parse a range of pages and return them in order.

        A page that crashes its process is retried once, alone in a new process, and then skipped.
        """
        pages: dict[int, PageContent] = {}
        suspect = 0
        while missing := [number for number in numbers if number not in pages]:
            stop_reason = self._find_stop_reason()
            if stop_reason:
                pages.update((number, self._record_page(_build_failed_page(number, stop_reason))) for number in missing)
                break
            batch = missing[:1] if missing[0] == suspect else missing
            try:
                for answer in self._processes.run(replace(self._task, pages=tuple(batch)), PAGE_SECONDS):
                    self._store_answer(answer, missing, pages)
            except ProcessDied as error:
                culprit = next((number for number in batch if number not in pages), 0)  # 0: after its last page
                if culprit and culprit == suspect:
                    pages[culprit] = self._record_page(_build_failed_page(culprit, str(error)), crashed=True)
                suspect = culprit
        return [pages[number] for number in numbers]

    def _store_answer(
        self, answer: PageContent | Failed, missing: Sequence[int], pages: dict[int, PageContent]
    ) -> None:
        """Store one result; a failure that names no page applies to every missing page."""
        if isinstance(answer, PageContent):
            pages[answer.number] = self._record_page(answer)
            return
        for number in [answer.page] if answer.page else [number for number in missing if number not in pages]:
            pages[number] = self._record_page(_build_failed_page(number, answer.reason))

    def _find_stop_reason(self) -> str:
        """Return the reason why the rest of the file is not parsed, or "" to continue."""
        if self._crashes >= _MAX_CRASHES:
            return f"{self._crashes} other pages crashed the parser process"
        if self._characters > MAX_CHARACTERS:
            return f"the preceding pages have more than {MAX_CHARACTERS:,} characters"
        return ""

    def _record_page(self, page: PageContent, *, crashed: bool = False) -> PageContent:
        """Count a finished page, report the progress, and return the page."""
        with self._lock:
            self._done += 1
            self._crashes += crashed
            self._characters += sum(len(line.text) for line in page.lines)
            if self._on_page:
                self._on_page(self._done, self._total)
        return page


def _build_failed_page(number: int, reason: str) -> PageContent:
    return PageContent(number, 0.0, 0.0, warnings=(f"page {number} could not be parsed: {reason}",), read=False)


def split_page_ranges(pages: int, processes: int) -> list[tuple[int, ...]]:
    """Split page numbers, from 1, into ranges of similar size: at least two per process if there are enough pages."""
    size = max(1, min(_MAX_PAGES_PER_TASK, -(-pages // (2 * processes))))
    return [tuple(range(first, min(first + size, pages + 1))) for first in range(1, pages + 1, size)]

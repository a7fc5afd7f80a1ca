"""The pages of one PDF, read by several processes; what dies costs its page only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock

from hopline_ingest.formats.pdf.page_content import PageContent
from hopline_ingest.sandbox.limits import MAX_CHARACTERS, PAGE_SECONDS
from hopline_ingest.sandbox.processes import ProcessDied, Processes
from hopline_ingest.sandbox.tasks import Failed, Task

OnPage = Callable[[int, int], None]  # pages done, pages in all
_RANGE = 12  # pages at most of one task
_MOST_DEAD = 20  # pages that end their process; then the rest of the file is not tried


class Job:
    """The pages of one PDF on their way; `read` is called for each range, from any thread."""

    def __init__(self, processes: Processes, task: Task, total: int, on_page: OnPage | None) -> None:
        self._processes = processes
        self._task = task
        self._total = total
        self._on_page = on_page
        self._done = self._dead = self._characters = 0
        self._lock = Lock()

    def read(self, numbers: Sequence[int]) -> list[PageContent]:
        """The pages of a range, in order.

        A page that ends its process is tried once more, alone in a fresh one, then left out.
        """
        found: dict[int, PageContent] = {}
        suspect = 0
        while missing := [number for number in numbers if number not in found]:
            refused = self._refused()
            if refused:
                found.update((number, self._counted(_unread(number, refused))) for number in missing)
                break
            asked = missing[:1] if missing[0] == suspect else missing
            try:
                for answer in self._processes.ask(replace(self._task, pages=tuple(asked)), PAGE_SECONDS):
                    self._take(answer, missing, found)
            except ProcessDied as error:
                culprit = next((number for number in asked if number not in found), 0)  # 0: it died when it was done
                if culprit and culprit == suspect:
                    found[culprit] = self._counted(_unread(culprit, str(error)), died=True)
                suspect = culprit
        return [found[number] for number in numbers]

    def _take(self, answer: PageContent | Failed, missing: Sequence[int], found: dict[int, PageContent]) -> None:
        """Keep an answer; a failure that names no page is every missing page's."""
        if isinstance(answer, PageContent):
            found[answer.number] = self._counted(answer)
            return
        for number in [answer.page] if answer.page else [number for number in missing if number not in found]:
            found[number] = self._counted(_unread(number, answer.reason))

    def _refused(self) -> str:
        """Why no more of this file is read; empty as long as it is."""
        if self._dead >= _MOST_DEAD:
            return f"{self._dead} other pages ended the process that read them"
        if self._characters > MAX_CHARACTERS:
            return f"the pages before it have more than {MAX_CHARACTERS:,} characters"
        return ""

    def _counted(self, page: PageContent, *, died: bool = False) -> PageContent:
        """The page, after it is told that it is done."""
        with self._lock:
            self._done += 1
            self._dead += died
            self._characters += sum(len(line.text) for line in page.lines)
            if self._on_page:
                self._on_page(self._done, self._total)
        return page


def _unread(number: int, reason: str) -> PageContent:
    return PageContent(number, 0.0, 0.0, warnings=(f"page {number} could not be read: {reason}",), read=False)


def ranges(pages: int, processes: int) -> list[tuple[int, ...]]:
    """Page numbers from 1 in ranges of like size, at least two a process where there are enough pages."""
    size = max(1, min(_RANGE, -(-pages // (2 * processes))))
    return [tuple(range(first, min(first + size, pages + 1))) for first in range(1, pages + 1, size)]

"""Processes for work that needs no graph; one that dies costs its own task only."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from hopline_ingest.shutdown import WorkStopped, end_with

A = TypeVar("A")
R = TypeVar("R")


class ProcessPool(ProcessPoolExecutor):
    """Processes that are spawned, so that no lock or connection of ours is copied into them; they end with this one."""

    def __init__(self, processes: int) -> None:
        spawning = get_context("spawn")
        self._watched, self._lifeline = spawning.Pipe(duplex=False)
        super().__init__(processes, mp_context=spawning, initializer=end_with, initargs=(self._watched,))

    def kill(self) -> None:
        """End the processes at once; what they worked on raises `BrokenProcessPool`."""
        self._lifeline.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """As `Executor.shutdown`."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self._lifeline.close()
            self._watched.close()


def process_pool(processes: int) -> Executor:
    """A `ProcessPool`."""
    return ProcessPool(processes)


class Pool:
    """An executor that is made when first used, and made anew when it broke.

    ``make`` may give any `concurrent.futures.Executor`: a process pool, or Dask's or Ray's.
    """

    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor: Executor | None = None
        self._stopped = False

    def results(self, work: Callable[[A], R], inputs: Sequence[A]) -> Iterator[tuple[A, R | Exception]]:
        """Each input with its result, as they come; an input whose work raised has the error.

        Raises:
            WorkStopped: `stop` was called.
        """
        waiting = list(inputs)
        while waiting:
            lost = yield from self._round(work, waiting)
            if len(lost) == len(waiting):  # nothing got through: name the one that breaks the processes
                yield from self._alone(work, lost)
                return
            waiting = lost

    def close(self) -> None:
        """End the processes; waiting work is dropped."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None

    def stop(self) -> None:
        """End the processes at once; can be called from another thread while `results` waits for them."""
        self._stopped = True
        if isinstance(self._executor, ProcessPool):
            self._executor.kill()

    def _round(self, work: Callable[[A], R], inputs: Sequence[A]) -> Generator[tuple[A, R | Exception], None, list[A]]:
        """What came through; returns the inputs whose process died."""
        executor = self._executor = self._executor or self._make()
        if self._stopped:
            raise WorkStopped
        tasks = {executor.submit(work, one): place for place, one in enumerate(inputs)}
        lost = []
        for task in as_completed(tasks):
            one = inputs[tasks[task]]
            if self._stopped:
                raise WorkStopped
            try:
                result = task.result()
            except BrokenProcessPool:
                lost.append(one)
            except Exception as error:  # noqa: BLE001 — whatever the work raised is the caller's to judge
                yield one, error
            else:
                yield one, result
        if lost:
            self.close()
        return lost

    def _alone(self, work: Callable[[A], R], inputs: Sequence[A]) -> Iterator[tuple[A, R | Exception]]:
        for one in inputs:
            lost = yield from self._round(work, [one])
            for each in lost:
                yield each, BrokenProcessPool("the process that worked on it died")

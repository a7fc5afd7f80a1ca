"""Process pools for work that needs no database; a process that crashes fails its own task only."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from hopline_ingest.shutdown import WorkStopped, exit_with_parent

A = TypeVar("A")
R = TypeVar("R")


class ProcessPool(ProcessPoolExecutor):
    """A pool of spawned processes, which inherit no lock or connection and exit with this process."""

    def __init__(self, processes: int) -> None:
        spawning = get_context("spawn")
        self._watched, self._lifeline = spawning.Pipe(duplex=False)
        super().__init__(processes, mp_context=spawning, initializer=exit_with_parent, initargs=(self._watched,))

    def kill(self) -> None:
        """Terminate the processes at once; their tasks raise `BrokenProcessPool`."""
        self._lifeline.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Shut down as `Executor.shutdown` does, and release the pipe that ties the processes to this one."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self._lifeline.close()
            self._watched.close()


def create_process_pool(processes: int) -> Executor:
    """Create a `ProcessPool` of this many processes."""
    return ProcessPool(processes)


class ResilientExecutor:
    """An executor that is created on first use and again after a process crash.

    ``create`` may return any `concurrent.futures.Executor`: a process pool, or Dask's or Ray's.
    """

    def __init__(self, create: Callable[[], Executor]) -> None:
        self._create = create
        self._executor: Executor | None = None
        self._stopped = False

    def map_unordered(self, work: Callable[[A], R], inputs: Sequence[A]) -> Iterator[tuple[A, R | Exception]]:
        """Yield each input with its result as tasks complete; with the exception if the task raised.

        Raises:
            WorkStopped: `stop` was called.
        """
        waiting = list(inputs)
        while waiting:
            lost = yield from self._submit_round(work, waiting)
            if len(lost) == len(waiting):  # no task completed: find the input that crashes the process
                yield from self._run_one_by_one(work, lost)
                return
            waiting = lost

    def close(self) -> None:
        """Shut down the processes; pending tasks are cancelled."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None

    def stop(self) -> None:
        """Terminate the processes at once; may be called from another thread while `map_unordered` waits."""
        self._stopped = True
        if isinstance(self._executor, ProcessPool):
            self._executor.kill()

    def _submit_round(
        self, work: Callable[[A], R], inputs: Sequence[A]
    ) -> Generator[tuple[A, R | Exception], None, list[A]]:
        """Yield the completed inputs with their results; return the inputs whose process crashed."""
        executor = self._executor = self._executor or self._create()
        if self._stopped:
            raise WorkStopped
        tasks = {executor.submit(work, item): index for index, item in enumerate(inputs)}
        lost = []
        for task in as_completed(tasks):
            item = inputs[tasks[task]]
            if self._stopped:
                raise WorkStopped
            try:
                result = task.result()
            except BrokenProcessPool:
                lost.append(item)
            except Exception as error:  # noqa: BLE001 — the caller decides about any error of the work
                yield item, error
            else:
                yield item, result
        if lost:
            self.close()
        return lost

    def _run_one_by_one(self, work: Callable[[A], R], inputs: Sequence[A]) -> Iterator[tuple[A, R | Exception]]:
        for item in inputs:
            lost = yield from self._submit_round(work, [item])
            for lost_item in lost:
                yield lost_item, BrokenProcessPool("the process crashed")

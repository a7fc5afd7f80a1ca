"""A test run that is interrupted or killed leaves no process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

SCRIPT = Path(__file__).with_name("process_cleanup.py")
# a test run that starts a process which outlives it, prints its id, and waits
RUN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it for what it runs in the background
script, mark = sys.argv[1:]
cleanup = subprocess.Popen([sys.executable, script, mark], stdin=subprocess.PIPE, start_new_session=True)
os.environ["TEST_RUN_OF_HOPLINE"] = mark
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
print(subprocess.Popen(sleep, start_new_session=True).pid, cleanup.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of this kind")
@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_processes_of_a_test_run_end_with_it_and_others_do_not(signal: str) -> None:
    import signal as signals

    other_mark = os.environ | {"TEST_RUN_OF_HOPLINE": uuid4().hex}
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    with (
        subprocess.Popen(sleep, env=other_mark) as other,
        subprocess.Popen(
            [sys.executable, "-c", RUN, str(SCRIPT), uuid4().hex], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as run,
    ):
        try:
            assert run.stdout is not None
            started, cleanup = (psutil.Process(int(pid)) for pid in run.stdout.readline().split())
            assert started.is_running()
            run.send_signal(getattr(signals, signal))
            run.wait(30)
            _, alive = psutil.wait_procs([started, cleanup], 30)
            assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
            assert other.poll() is None
        finally:
            run.kill()
            other.kill()

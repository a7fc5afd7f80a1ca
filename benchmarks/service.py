"""What a service adds to a question, and 32 clients at once.

    python benchmarks/service.py QUESTIONS.jsonl -c COLLECTION [--home FOLDER] [--count 50] [--clients 32]

First, the time of `RemoteHopline.ask` where the service has the answer ready: transport, JSON and validation, by the
size of the answer; the differences of whole questions are smaller than their noise. Then the p50 of
`RemoteHopline.ask` beside that of `Hopline.ask`, interleaved, with the median of the paired differences, and p50, p95
and errors of the clients at once; this service is a process of its own over the same home. No language model is used.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import uvicorn

from hopline import Hopline, HoplineError
from hopline.api.app import create_app
from hopline.evaluation import read_questions

PORT, TRANSPORT_PORT = 8699, 8698


def measure(call, question: str) -> float:
    started = time.perf_counter()
    call(question)
    return 1000 * (time.perf_counter() - started)


def measure_transport(hop, questions: list[str], collection: str) -> None:
    answers = {question: hop.ask(question, collection=collection) for question in questions}
    app = create_app(hop, token="benchmark")
    hop.ask = lambda question, **_: answers[question]
    server = uvicorn.Server(uvicorn.Config(app, port=TRANSPORT_PORT, log_config=None))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    with Hopline.connect(f"http://127.0.0.1:{TRANSPORT_PORT}", key="benchmark") as remote:
        wait_until_ready(remote)
        for question, answer in answers.items():
            times = [measure(lambda text: remote.ask(text, collection=collection), question) for _ in range(30)]
            size = len(json.dumps(answer.to_dict())) / 1000
            print(f"service with the answer ready, {size:.0f} kB: p50 {statistics.median(times):.1f} ms")
    server.should_exit = True
    thread.join()
    del hop.ask


def wait_until_ready(client) -> None:
    for _ in range(300):
        try:
            client.collections()
        except HoplineError:
            time.sleep(0.3)
        else:
            return
    raise SystemExit("the service does not start")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path)
    parser.add_argument("-c", "--collection", required=True)
    parser.add_argument("--home")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--clients", type=int, default=32)
    args = parser.parse_args()
    questions = [question.text for question in read_questions(args.questions, limit=args.count + 5)]
    environment = os.environ | ({"HOPLINE_HOME": args.home} if args.home else {})
    with Hopline.open(home=args.home) as hop, Hopline.connect(f"http://127.0.0.1:{PORT}") as remote:
        measure_transport(hop, questions[:3], args.collection)
        command = [sys.executable, "-m", "hopline", "serve", "--port", str(PORT)]
        service = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until_ready(remote)
            compare(hop, remote, questions, args.collection)
            load(remote, questions[5:], args.collection, args.clients)
        finally:
            service.terminate()
            service.wait()


def compare(hop, remote, questions: list[str], collection: str) -> None:
    calls = [lambda q, client=client: client.ask(q, collection=collection) for client in (hop, remote)]
    for question in questions[:5]:
        for call in calls:
            call(question)
    times: list[list[float]] = [[], []]
    for number, question in enumerate(questions[5:]):
        order = (0, 1) if number % 2 else (1, 0)
        for index in order:
            times[index].append(measure(calls[index], question))
    added = statistics.median(after - before for before, after in zip(*times, strict=True))
    local, served = map(statistics.median, times)
    print(f"ask p50: open client {local:.0f} ms, service {served:.0f} ms; median difference {added:.1f} ms")


def load(remote, questions: list[str], collection: str, clients: int) -> None:
    def ask(question: str) -> float | None:
        try:
            return measure(lambda text: remote.ask(text, collection=collection), question)
        except HoplineError as error:
            print(error)
            return None

    with ThreadPoolExecutor(clients) as threads:
        started = time.perf_counter()
        outcomes = list(threads.map(ask, questions * 2))
        seconds = time.perf_counter() - started
    times = sorted(outcome for outcome in outcomes if outcome is not None)
    p95 = times[int(0.95 * len(times))]
    print(
        f"{clients} clients, {len(outcomes)} questions: {len(outcomes) / seconds:.1f} a second, "
        f"p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, errors {len(outcomes) - len(times)}"
    )


if __name__ == "__main__":
    main()

"""Search for servers of language models on this machine, at the ports that they usually have."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from hopline.llm.model_probe import read_entries

PORTS: Final = {11434: "Ollama", 1234: "LM Studio", 8000: "vLLM", 8080: "llama.cpp"}
OWNERS: Final = {"library": "Ollama", "vllm": "vLLM", "llamacpp": "llama.cpp", "organization_owner": "LM Studio"}
SECONDS: Final = 2.0  # until a server has to answer
_HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that lists its models: its probable name, its address, and the names of its models."""

    name: str
    address: str
    models: tuple[str, ...]


def find_local_servers(ports: Iterable[int] = tuple(PORTS)) -> list[LocalServer]:
    """Find the servers of this machine that list models, in the order of ``ports``.

    Only the loopback address is called, without a proxy, and no redirection is followed.
    """
    candidates = list(ports)
    with ThreadPoolExecutor(max(1, len(candidates)), thread_name_prefix="hopline-servers") as pool:
        return [server for server in pool.map(_probe, candidates) if server is not None]


def _probe(port: int) -> LocalServer | None:
    """Return the server at a port of this machine; None if there is none, or if it lists no models."""
    import requests

    with requests.Session() as session:
        session.trust_env = False  # no proxy
        try:
            response = session.get(f"http://{_HOST}:{port}/v1/models", timeout=SECONDS, allow_redirects=False)
            listing: Any = response.json() if response.status_code == 200 else None
        except (requests.RequestException, ValueError, OSError):
            return None
    if not isinstance(listing, dict) or not isinstance(listing.get("data"), list):
        return None
    entries = read_entries(listing)
    owner = next((str(entry.get("owned_by")) for entry in entries.values()), "")
    name = OWNERS.get(owner) or PORTS.get(port, "Server")
    return LocalServer(name, f"http://{_HOST}:{port}/v1", tuple(entries))

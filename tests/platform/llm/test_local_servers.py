"""The search for servers of this machine: only those that list models, on the loopback interface only."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from scripted import Turn, serve

from hopline.llm.local_servers import PORTS, find_local_servers
from hopline.llm.presets import OTHER, PRESETS, find_preset


def get_port(url: str) -> int:
    return urlsplit(url).port or 0


def test_servers_that_list_models_are_found_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nothing = closed.getsockname()[1]
    with serve([Turn()], ["qwen", "llama"]) as server, serve([Turn()]) as other:
        ports = [nothing, get_port(other.url), get_port(server.url)]
        [local] = find_local_servers(ports)
    assert (local.address, local.models) == (server.url, ("qwen", "llama"))
    assert server.paths == other.paths == ["/v1/models"]
    assert server.keys == [""]


def test_a_server_without_models_is_found_and_the_usual_ports_are_known() -> None:
    with serve([Turn()], []) as server:
        [local] = find_local_servers([get_port(server.url)])
    assert local.models == ()
    assert tuple(PORTS) == (11434, 1234, 8000, 8080)


def test_a_preset_is_found_by_its_address() -> None:
    assert [find_preset(f"{preset.address}/") for preset in PRESETS if preset != OTHER] == [*PRESETS[:-1]]
    assert find_preset("http://elsewhere/v1") == OTHER

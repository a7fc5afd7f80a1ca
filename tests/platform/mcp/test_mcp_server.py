"""The MCP server with the official client: in memory, as a process over stdio, and over HTTP."""

from __future__ import annotations

import asyncio
import base64
import os
import sys

import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from reportlab.pdfgen.canvas import Canvas

from hopline.api.keys import KeyStore
from hopline.errors import UsageError
from hopline.mcp.http import create_http_app
from hopline.mcp.server import create_mcp_server

QUESTION = "Who designed the Skarv Bridge?"
FACT = "The permit for the north pier was granted to Hedda Lunn on 4 May 1931."


def draw_pdf(path):
    canvas = Canvas(str(path))
    canvas.drawString(72, 720, FACT)
    canvas.save()


def call(hop, name, arguments, folders=()):
    """The result of one tool, called by a client in the same process."""

    async def run():
        async with Client(create_mcp_server(hop, folders)) as client:
            return await client.call_tool(name, arguments)

    return asyncio.run(run())


def list_tools(hop, folders=()):
    async def run():
        async with Client(create_mcp_server(hop, folders)) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    return asyncio.run(run())


def test_every_tool_has_a_description_and_says_that_it_reads(hop, tmp_path):
    tools = list_tools(hop)
    assert set(tools) == {
        *(
            "ask",
            "retrieve",
            "list_collections",
            "list_documents",
            "open_page",
            "find_entity",
            "neighbours",
            "find_path",
        ),
    }
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools.values())
    assert not list_tools(hop, [tmp_path])["add_documents"].annotations.read_only_hint


def test_ask_gives_the_answer_with_its_quote(hop, corpus):
    answer = call(hop, "ask", {"question": QUESTION, "collection": corpus}).structured_content
    assert answer["short"] == "Ingrid Vale"
    assert answer["status"] == "answered"
    [citation, *_] = answer["sentences"][0]["citations"]
    assert "Ingrid Vale" in citation["quote"]
    assert citation["document"]
    assert citation["page"] == 1


def test_retrieve_lists_and_explores(hop, corpus):
    passages = call(hop, "retrieve", {"question": QUESTION, "collection": corpus, "k": 3}).structured_content["result"]
    assert len(passages) == 3
    assert "Skarv Bridge" in passages[0]["text"]
    assert corpus in call(hop, "list_collections", {}).structured_content["result"]
    assert len(call(hop, "list_documents", {"collection": corpus, "limit": 4}).structured_content["result"]) == 4
    [vale, *_] = call(hop, "find_entity", {"name": "Ingrid Vale", "collection": corpus}).structured_content["result"]
    around = call(hop, "neighbours", {"node_id": vale["id"]}).structured_content
    assert any("Ingrid Vale" in edge for edge in around["edges"])
    [bergen, *_] = call(hop, "find_entity", {"name": "Bergen", "collection": corpus}).structured_content["result"]
    [path, *_] = call(hop, "find_path", {"source_id": vale["id"], "target_id": bergen["id"]}).structured_content[
        "result"
    ]
    assert path.startswith("Ingrid Vale -")
    assert path.endswith("- Bergen")


def test_an_error_is_told_to_the_model(hop):
    result = call(hop, "ask", {"question": QUESTION, "collection": "nowhere"})
    assert result.is_error
    assert "no collection called 'nowhere'" in result.content[0].text


def test_documents_are_added_from_allowed_folders_only_and_their_page_is_shown(hop, tmp_path):
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    allowed.mkdir()
    other.mkdir()
    draw_pdf(allowed / "permit.pdf")
    draw_pdf(other / "secret.pdf")
    (allowed / "link.pdf").symlink_to(other / "secret.pdf")
    for path in (other / "secret.pdf", allowed / ".." / "other" / "secret.pdf", allowed / "link.pdf"):
        refused = call(hop, "add_documents", {"paths": [str(path)], "collection": "mcp"}, [allowed])
        assert refused.is_error
        assert "outside of the folders" in refused.content[0].text
    added = call(hop, "add_documents", {"paths": [str(allowed / "permit.pdf")], "collection": "mcp"}, [allowed])
    assert "permit.pdf" in added.content[0].text
    [document] = hop.documents.list("mcp")
    hop.documents.batch([document.id], "mcp").wait(timeout=240)
    plain = call(hop, "open_page", {"document_id": document.id, "page": 1}).content[0]
    marked = call(hop, "open_page", {"document_id": document.id, "page": 1, "quote": FACT}).content[0]
    assert plain.mime_type == "image/png"
    assert base64.b64decode(plain.data).startswith(b"\x89PNG")
    assert marked.data != plain.data
    wrong = call(hop, "open_page", {"document_id": document.id, "page": 1, "quote": "words that are not there"})
    assert "no text of page 1 contains" in wrong.content[0].text
    hop.remove(collection="mcp")


def test_the_command_speaks_the_protocol_over_stdio(home, corpus):
    async def run():
        parameters = StdioServerParameters(command=sys.executable, args=["-m", "hopline", "mcp"], env=dict(os.environ))
        async with Client(stdio_client(parameters)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            answer = await client.call_tool("ask", {"question": QUESTION, "collection": corpus})
            return tools, answer.structured_content

    tools, answer = asyncio.run(run())
    assert "add_documents" not in tools
    assert answer["short"] == "Ingrid Vale"


def test_over_http_other_machines_need_a_key(hop, tmp_path):
    server = create_mcp_server(hop)
    with pytest.raises(UsageError, match="hopline key add"):
        create_http_app(server, tmp_path, "0.0.0.0", writes=False)
    keys = KeyStore(tmp_path)
    key, _ = keys.add("all")
    restricted, _ = keys.add("one", collections=["loans"])
    app = create_http_app(server, tmp_path, "127.0.0.1", writes=False)

    async def post(secret):
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8601") as client:
            headers = {"Authorization": f"Bearer {secret}"} if secret else {}
            return (await client.get("/nothing", headers=headers)).status_code

    assert asyncio.run(post(None)) == 401
    assert asyncio.run(post("hop_wrong")) == 401
    assert asyncio.run(post(restricted)) == 401
    assert asyncio.run(post(key)) == 404

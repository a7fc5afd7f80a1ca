"""Commands that serve other programs: serve, mcp, key."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from hopline.cli.command import AsJson, open_client, print_object
from hopline.cli.running_service import open_service_or_client
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.api.keys import KeyStore

MISSING_EXTRA = "the REST service needs packages that are not installed: pip install 'hopline[api]'"

KeyScope = Literal["read", "write", "admin"]

keys = typer.Typer(help="API keys of the REST service.", no_args_is_help=True)


def serve(
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts other machines, and needs an API key.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: a free one.")] = 8600,
    parallel: Annotated[int, typer.Option(min=1, help="Questions that are answered at the same time.")] = 4,
    waiting: Annotated[int, typer.Option(min=0, help="Questions that may wait for their turn.")] = 128,
    rate: Annotated[int, typer.Option(min=0, help="Requests a minute of one key; 0: no limit.")] = 0,
    max_upload_mb: Annotated[int, typer.Option(min=1, help="Size of one upload, in MB.")] = 1024,
) -> None:
    """Serve the REST API until Ctrl+C.

    Its description is at /docs and /openapi.json. Without an API key only this machine may use it; see: hopline key.
    """
    server = _import_server()
    limits = server.ServiceLimits(upload_mb=max_upload_mb, rate=rate, parallel=parallel, waiting=waiting)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("neo4j").setLevel(logging.WARNING)
    with open_client() as hop:
        server.check_address(hop, address := server.Address(host, port))
        hop.start_warm_up()
        server.serve(hop, address, limits, on_start=lambda url: typer.echo(f"Serving {url}/docs"))


def mcp(
    *,
    write: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", exists=True, file_okay=False, help="Documents may be added from it; may be repeated."
        ),
    ] = None,
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP at /mcp instead of stdin and stdout.")] = False,
    host: Annotated[str, typer.Option(help="Address to listen on with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on with --http.")] = 8601,
) -> None:
    """Serve tools for language models over MCP.

    MCP is the Model Context Protocol. The program that runs the model starts this command. Without --write there is no
    tool that changes something. A running `hopline serve` of the same home and settings answers.
    """
    try:
        from hopline.mcp.server import create_mcp_server
    except ImportError as error:
        raise UsageError(f"MCP needs a package that is not installed: pip install 'hopline[mcp]' ({error})") from error
    logging.basicConfig(level=logging.WARNING)  # to stderr: stdout is the protocol's
    with open_service_or_client(lambda: None, local=False, verbose=False) as hop:
        server = create_mcp_server(hop, write or ())
        if not http:
            server.run("stdio")
            return
        from hopline.config import load_settings
        from hopline.mcp.http import serve_http

        typer.echo(f"Serving http://{host}:{port}/mcp")
        serve_http(server, load_settings().home, host, port, writes=bool(write))


@keys.command("add")
def add_key(
    name: Annotated[str, typer.Argument(help="A name for the key, by which it is removed.")],
    *,
    scope: Annotated[
        KeyScope,
        typer.Option(help="read: ask and list. write: also add, correct and remove documents. admin: everything."),
    ] = "read",
    collection: Annotated[
        list[str] | None, typer.Option("--collection", "-c", help="Only this collection; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Create an API key and print it; it is stored as a hash only and cannot be shown again."""
    store = _open_keys()
    key, record = store.add(name, scope=scope, collections=collection or ())
    if as_json:
        print_object({"key": key, "id": record.id, "name": record.name, "scope": record.scope})
    else:
        typer.echo(key)


@keys.command("list")
def list_keys(*, as_json: AsJson = False) -> None:
    """List the API keys: names, scopes and collections."""
    records = _open_keys().list()
    if as_json:
        rows = [
            {"id": key.id, "name": key.name, "scope": key.scope, "collections": list(key.collections)}
            for key in records
        ]
        print_object({"keys": rows})
        return
    for key in records:
        collections = ", ".join(key.collections) or "all collections"
        typer.echo(f"{key.name}  {key.id}  {key.scope}  {collections}")
    if not records:
        typer.echo("No API keys. Create one with: hopline key add NAME")


@keys.command("remove")
def remove_key(name: Annotated[str, typer.Argument(help="Name or id of the key.")], *, as_json: AsJson = False) -> None:
    """Remove an API key; requests with it are refused from now on."""
    removed = _open_keys().remove(name)
    if as_json:
        print_object({"removed": removed.name})
    else:
        typer.echo(f"Removed {removed.name}")


def _import_server() -> Any:
    try:
        from hopline.api import server
    except ImportError as error:
        raise UsageError(f"{MISSING_EXTRA} ({error})") from error
    return server


def _open_keys() -> KeyStore:
    from hopline.api.keys import KeyStore
    from hopline.config import load_settings

    return KeyStore(load_settings().home)

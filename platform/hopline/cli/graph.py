"""Commands for the graph itself: cypher, neo4j."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from hopline.cli.command import AsJson, get_console, open_client, print_error, print_object
from hopline.errors import UsageError


def cypher(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The query, in quotes.")],
    *,
    parameters: Annotated[
        str, typer.Option("--parameters", "-p", metavar="JSON", help="Parameters by name, as a JSON object.")
    ] = "{}",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Maximum number of rows.")] = 1000,
    timeout: Annotated[float, typer.Option("--timeout", help="Maximum number of seconds.")] = 30.0,
    vectors: Annotated[bool, typer.Option("--vectors", help="Include the vectors of nodes.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a Cypher query that only reads the graph.

    Queries that write, LOAD CSV, and procedures that are not on a list are refused.
    """
    values = _parse_parameters(parameters)
    with open_client() as hop:
        result = hop.graph.cypher(query, values, limit, timeout, vectors=vectors)
    if as_json:
        print_object({"columns": result.columns, "rows": result.rows, "truncated": result.truncated})
    else:
        from hopline.rendering import draw_query_result

        draw_query_result(result, get_console())
    if result.truncated:
        print_error(f"only the first {len(result):,} rows; raise --limit for more")


def _parse_parameters(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--parameters is not JSON: {error} (got {text!r:.80})") from error
    if not isinstance(values, dict):
        raise UsageError(f'--parameters must be a JSON object such as \'{{"name": "Bergen"}}\' (got {text!r:.80})')
    return values


def neo4j(
    *,
    password: Annotated[bool, typer.Option("--password", help="Print the password as well.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print how other programs open the database.

    These are Neo4j Browser, Neo4j Desktop and notebooks. A private server is started if it does not run. It stops when
    Hopline has not used it for HOPLINE_SERVER_IDLE_MINUTES.
    """
    with open_client() as hop:
        access = hop.graph.get_access()
    shown = access.password if password else f"{access.password_source}; print it with: hopline neo4j --password"
    if as_json:
        fields = asdict(access)
        print_object(fields if password else {name: value for name, value in fields.items() if name != "password"})
        return
    rows = {"Address": access.address, "Database": access.database, "User": access.user, "Password": shown}
    for name, value in rows.items():
        typer.echo(f"{name:<10}{value}")
    typer.echo(
        f"""
Neo4j Browser or Neo4j Desktop: connect to this address with this user and password.
Notebook, without a password: hop.graph.cypher("MATCH (e:Entity) RETURN e.name LIMIT 10")
Driver of Neo4j: GraphDatabase.driver("{access.address}", auth=("{access.user}", password))

This user may change everything. Change the graph with Hopline only, and read it with other clients."""
    )

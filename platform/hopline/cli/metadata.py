"""The command ``metadata``, and what other commands have for metadata: the option of ``add``, the facets."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from hopline.cli.command import AsJson, Collection, get_console, open_client, print_object
from hopline.errors import UsageError
from hopline.metadata.values import parse_assignments

Metadata = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata",
        metavar="KEY=VALUE",
        help="Metadata of all these files: year=2024; may be repeated, also with one key. Quotes force text.",
    ),
]


def show_facets(collection: str, filter: str, *, as_json: bool) -> None:
    """Print the keys of the metadata of a collection, with their values and numbers of documents."""
    with open_client() as hop:
        facets = hop.documents.facets(collection, filter=filter)
    if as_json:
        print_object({"collection": collection, "facets": [asdict(facet) for facet in facets]})
    else:
        from hopline.rendering import draw_facets

        draw_facets(facets, get_console())


def set_metadata(
    name: Annotated[str, typer.Argument(help="Name or id of a document.")],
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE…", help="Keys and their values.")
    ] = None,
    *,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="KEY", help="Remove a key; may be repeated.")
    ] = None,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Set or remove metadata of a document.

    A key that is given several times has the list of its values. Nothing is processed again.
    """
    change = {**dict.fromkeys(remove or ()), **parse_assignments(assignments or ())}
    if not change:
        raise UsageError("metadata needs KEY=VALUE, or --remove KEY")
    with open_client() as hop:
        document = hop.documents.set_metadata(name, change, collection=collection)
    if as_json:
        print_object({"collection": collection, "document": asdict(document)})
    else:
        from hopline.rendering import draw_documents

        draw_documents([document], get_console(), metadata=True)

"""A collection's graph as plain data, without ids, so that two collections can be compared."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hopline.store.graph import Store

QUERIES = {
    "documents": """MATCH (:Collection {name: $name})-[:HAS_DOCUMENT]->(d:Document)
        RETURN d.name, d.title, d.state, d.reason, d.pages, d.passages, d.tables, d.version""",
    "pages": """MATCH (d:Document {collection: $id})-[:HAS_PAGE]->(p:Page)
        RETURN d.name, p.number, p.width, p.height""",
    "evidence": """MATCH (e:Evidence {collection: $id}) MATCH (d:Document {id: e.document})
        RETURN d.name, e.text, e.search, e.ordinal, e.section, e.pages, e.extractor, e.warning, e.alias_pairs,
          e.vector_minilm IS NOT NULL, [label IN labels(e) WHERE label <> 'Evidence']""",
    "next": "MATCH (a:Evidence {collection: $id})-[:NEXT]->(b) RETURN a.text, b.text",
    "on pages": "MATCH (e:Evidence {collection: $id})<-[:HAS_PASSAGE|HAS_TABLE]-(p:Page) RETURN e.text, p.number",
    "entities": """MATCH (e:Entity {collection: $id})
        RETURN e.name, e.kind, e.named, e.aliases, e.search, e.joins, e.linked, e.vector_minilm IS NOT NULL, labels(e)""",
    "mentions": """MATCH (p:Evidence {collection: $id})-[r:MENTIONS]->(e)
        RETURN p.text, e.name, r.count, r.spans, r.name, r.kind, r.aliases, r.by""",
    "about": "MATCH (p:Evidence {collection: $id})-[r:ABOUT]->(e) RETURN p.text, e.name, r.by, r.score",
    "triples": """MATCH (p:Evidence {collection: $id})-[:STATES]->(t:Triple)
        OPTIONAL MATCH (t)-[:SUBJECT]->(s) OPTIONAL MATCH (t)-[:OBJECT]->(o)
        RETURN p.text, t.text, s.name, o.name, t.vector_minilm IS NOT NULL, labels(t)""",
    "references": """MATCH (p:Evidence {collection: $id})-[:LISTS]->(r:Reference)
        RETURN p.text, r.name, r.key, r.authors, r.year, r.start, r.end""",
    "citations": "MATCH (p:Evidence {collection: $id})-[:CITES]->(r:Reference) RETURN p.text, r.key",
    "similar": """MATCH (a:Evidence {collection: $id})-[r:SIMILAR]->(b)
        RETURN a.text, b.text, round(r.score, 4), r.by""",
    "orphans": """MATCH (n) WHERE n.collection = $id AND (n:Evidence AND NOT EXISTS { (:Document {id: n.document}) }
          OR n:Triple AND NOT EXISTS { (n)<-[:STATES]-() } OR n:Entity AND NOT EXISTS { (n)<--() })
        RETURN labels(n), properties(n).id""",
}


def canonical_graph(store: Store, name: str) -> dict[str, Counter[str]]:
    """What a collection holds, one multiset of rows a kind."""
    [[id]] = rows(store, "MATCH (c:Collection {name: $name}) RETURN c.id", name=name)
    return {kind: Counter(map(repr, rows(store, query, id=id, name=name))) for kind, query in QUERIES.items()}


def differences(
    first: dict[str, Counter[str]], second: dict[str, Counter[str]]
) -> dict[str, tuple[list[str], list[str]]]:
    """Return the rows that only one of two graphs has, by kind."""
    return {
        kind: (sorted((first[kind] - second[kind]).elements()), sorted((second[kind] - first[kind]).elements()))
        for kind in QUERIES
        if first[kind] != second[kind]
    }


def rows(store: Store, query: str, **parameters: Any) -> list[list[Any]]:
    """Return the rows of a query; lists in them are sorted."""
    records = store.driver.execute_query(query, parameters, database_=store.connection.database).records
    return [
        [sorted(map(str, value)) if isinstance(value, list) else value for value in record.values()]
        for record in records
    ]

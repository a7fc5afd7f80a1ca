// Returns: id — the collection, which is shown from now on; no row if another one got its name meanwhile.
// $id: id of the collection.
// $properties: its properties, with the name.
// $labels: labels of its state, such as ToEmbed.
MATCH (c:Collection&Importing {id: $id})
WHERE NOT EXISTS { MATCH (other:Collection) WHERE other.name = $properties.name AND other.id <> $id }
SET c = $properties, c:$($labels)
REMOVE c:Importing
RETURN c.id AS id

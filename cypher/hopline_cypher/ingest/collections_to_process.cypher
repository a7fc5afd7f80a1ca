// Returns: id, extract, embed — collections that are to be extracted or embedded again completely.
MATCH (c:ToExtract|ToEmbed)
RETURN c.id AS id, c:ToExtract AS extract, c:ToEmbed AS embed ORDER BY id

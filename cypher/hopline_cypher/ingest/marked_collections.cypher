// Returns: id, extract, embed — collections of which all is to be extracted or embedded again.
MATCH (c:ToExtract|ToEmbed)
RETURN c.id AS id, c:ToExtract AS extract, c:ToEmbed AS embed ORDER BY id

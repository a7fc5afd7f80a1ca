// Returns: nothing — full-text index of Entity (English analyzer with stemming and stop words, BM25).
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS FOR (n:Entity) ON EACH [n.search, n.collection]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

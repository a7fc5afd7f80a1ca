// Returns: nothing — full-text index of Table (English analyzer with stemming and stop words, BM25).
CREATE FULLTEXT INDEX table_text IF NOT EXISTS FOR (n:Table) ON EACH [n.search, n.collection, n.document]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

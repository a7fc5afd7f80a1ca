// Returns: nothing — full-text index of Triple (English analyzer with stemming and stop words, BM25).
CREATE FULLTEXT INDEX triple_text IF NOT EXISTS FOR (n:Triple) ON EACH [n.search, n.collection, n.document]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

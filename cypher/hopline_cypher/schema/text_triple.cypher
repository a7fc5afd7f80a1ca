// Returns: nothing — full text of Triple (English stems and stop-words, BM25).
CREATE FULLTEXT INDEX triple_text IF NOT EXISTS FOR (n:Triple) ON EACH [n.search, n.collection, n.document]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

// Returns: nothing — the vectors of one embedder over Triple; the placeholder is the checked name of the embedder's property.
// $dimension: length of a vector.
CREATE VECTOR INDEX triple_<embedding> IF NOT EXISTS FOR (n:Triple) ON (n.<embedding>)
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: true, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100
}}

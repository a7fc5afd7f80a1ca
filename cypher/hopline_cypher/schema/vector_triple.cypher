// Returns: nothing — vector index of one embedder over Triple; <embedding> is replaced by the validated name of its vector property.
// $dimension: number of dimensions of a vector.
CREATE VECTOR INDEX triple_<embedding> IF NOT EXISTS FOR (n:Triple) ON (n.<embedding>)
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: true, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100
}}

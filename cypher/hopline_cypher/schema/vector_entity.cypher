// Returns: nothing — the vectors of one embedder over Entity; the placeholder is the checked name of the embedder's property.
// $dimension: length of a vector.
CREATE VECTOR INDEX entity_<embedding> IF NOT EXISTS FOR (n:Entity) ON (n.<embedding>)
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: true, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100
}}

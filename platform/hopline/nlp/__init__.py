"""English language processing without a model call: parser, stemmer, word lists."""

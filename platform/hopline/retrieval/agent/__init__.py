"""Steps of strategies that ask a language model or search in several rounds."""

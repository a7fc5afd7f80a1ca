"""Steps of strategies that ask a language model or retrieve in several rounds."""

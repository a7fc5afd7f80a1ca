"""What a text consists of: words and their stems, tokens, values, and the parse of a sentence."""

"""What several languages need: the text of a file, parsers from a grammar, and errors in the words of the language."""

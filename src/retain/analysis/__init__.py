"""What is read off a text: words, chunks, cues, features. Pure functions, shared by both paths."""

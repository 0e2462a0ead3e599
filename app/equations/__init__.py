"""How the lines of the textbook look on the page: formulas, listings with values, words, and a drawing."""

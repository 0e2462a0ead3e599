"""What surrounds the equations of the text on the page: formulas as the browser sets them, words, and a drawing."""

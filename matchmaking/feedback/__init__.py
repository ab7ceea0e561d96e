"""What players say of playing with each other, and what is learned from it. Only the author ever sees a word of it."""

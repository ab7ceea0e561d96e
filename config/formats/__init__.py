"""How pages write what Django formats by itself, in each language."""

"""Talk: who reads what, who may write, and what becomes of hostile text."""

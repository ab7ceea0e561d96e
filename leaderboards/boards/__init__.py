"""Boards: who stands where, kept up to date, read in pages."""

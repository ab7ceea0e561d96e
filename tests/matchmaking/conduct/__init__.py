"""Tests of conduct."""

"""Tests of conduct over the API."""

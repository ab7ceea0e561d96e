"""Tests of clans."""

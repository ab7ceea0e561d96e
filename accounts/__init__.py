"""Accounts: who signs in, and the audit of what people change."""

"""The second factor: codes of an app, passkeys and recovery codes, who owes one, and what follows when one changes."""

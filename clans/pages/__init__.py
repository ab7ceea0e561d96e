"""The pages of clans."""

"""Disturbs mirrors (Scripts/mirrors)."""

"""A simulated year of feeds, one sync a day."""

"""The parts of Scripts/kills: see driver.py."""

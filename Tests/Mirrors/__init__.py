"""The parts of Scripts/mirrors: see driver.py."""

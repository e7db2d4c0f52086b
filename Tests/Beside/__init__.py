"""The parts of Scripts/beside: see driver.py."""

"""The parts of Scripts/attack: see driver.py."""

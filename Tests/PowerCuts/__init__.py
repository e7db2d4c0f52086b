"""The parts of Scripts/powercuts: see driver.py."""

"""What Scripts/powercuts is made of: see driver.py."""

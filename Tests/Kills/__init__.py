"""What Scripts/kills is made of: see driver.py."""

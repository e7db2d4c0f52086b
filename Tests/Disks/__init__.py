"""What Scripts/disks works with: a small site, and a library of its feeds."""

"""The parts of Scripts/disks: a small site, and a library of its feeds."""

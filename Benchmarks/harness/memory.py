"""Touches so much memory, in bytes, and lets go of it: run as a program, so that it counts for no peak."""

import mmap
import sys


def main():
    size = int(sys.argv[1])
    with mmap.mmap(-1, size) as memory:
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1


main()

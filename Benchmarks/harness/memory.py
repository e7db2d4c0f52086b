"""Touches a number of bytes of memory and frees them; a separate program, so that they count for no peak."""

import mmap
import sys


def main():
    size = int(sys.argv[1])
    with mmap.mmap(-1, size) as memory:
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1


main()

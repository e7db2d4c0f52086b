#!/usr/bin/env bash
# mincore(2) says that every page is in memory, if the file is another user's and may only be read.
#
# Expected: the pages of a file that are not in the page cache are reported as such ("the return values indicate the
# current state", mincore(2)), so that a server can tell whether a read would wait for the disk.
# Seen with Linux 6.18 (since 5.2): for a caller that neither owns the file nor may write to it, each page is "in
# memory", also right after all of them have been dropped. A read with RWF_NOWAIT (preadv2(2), since 4.14) tells the
# truth: it would wait.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
look='
import ctypes, os, sys
path = sys.argv[1]
c = ctypes.CDLL(None, use_errno=True)
c.mmap.restype = ctypes.c_void_p
c.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
c.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
file = os.open(path, os.O_RDONLY)
size = os.fstat(file).st_size
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
place = c.mmap(None, size, 1, 1, file, 0)
states = (ctypes.c_ubyte * -(-size // os.sysconf("SC_PAGESIZE")))()
assert c.mincore(place, size, states) == 0
count = sum(state & 1 for state in states)
words = {0: "none", len(states): "all"}.get(count, "some")
try:
    os.preadv(file, [bytearray(100)], 0, os.RWF_NOWAIT)
    read = "has the bytes"
except BlockingIOError:
    read = "would wait"
print(f"in memory: {words}; a read {read}")'
head -c 400000 /dev/urandom >"$work/own"
sync "$work/own"
# A file of root for any other user; root itself becomes another one.
other=/usr/share/common-licenses/GPL-3
as_other=(env)
if [[ $(id -u) == 0 ]]; then as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
{
  echo "own file: $(/usr/bin/python3 -c "$look" "$work/own")"
  echo "file of root: $("${as_other[@]}" /usr/bin/python3 -c "$look" "$other")"
} >"$work/seen"
diff - "$work/seen" <<'SEEN'
own file: in memory: none; a read would wait
file of root: in memory: all; a read would wait
SEEN
echo "as described"
